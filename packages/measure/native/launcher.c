/*
 * The launcher: starts the processes that Assay measures, times them, accounts for them and leaves
 * nothing behind. One launcher serves one block. It is a small C program, because the process that
 * starts a child decides what can be measured: a child's peak memory begins at that of the process
 * it was started from, the cost of fork() grows with that memory, and only code that runs between
 * fork and exec can ask for the child's death with its parent's.
 *
 * Usage: assay-launcher [--parent=PID] [--guard PROGRAM ARGUMENT...] | assay-launcher --busy=ROUNDS
 * It ends, and first kills whatever it started, when stdin ends, when its parent dies, and on
 * SIGTERM, SIGINT or SIGHUP. With --parent it ends at once if PID is no longer its parent. It is two
 * processes, of which either may be killed and the other still leaves nothing behind (guard.c).
 *
 * With --guard it measures nothing but runs one program, with the environment, folder and stderr that
 * it was given, and nothing to read or to write its output to. Its end is a line on stdout: "exited CODE",
 * "signaled NUMBER" or "failed ERRNO". Then it stays until nothing is left of what the program
 * started, and ends like a launcher, which kills that.
 *
 * With --busy it is no launcher but a child to try one with: a loop of ROUNDS rounds that touches no
 * memory and calls nothing, so that what varies in its time is the host's noise.
 *
 * Requests are lines on stdin: a verb, then key=value tokens separated by single spaces; each value
 * is percent-encoded. Answers are lines of JSON on stdout. Times on the wire are nanoseconds.
 *
 *   run id=N cwd=DIR [stdin=FILE] stdout=FILE stderr=FILE [timeout=NS] [cpus=0,2-3] [parallel=N]
 *       [memory=1] arg=A... env=K%3DV...
 *     Starts arg[0] with exactly the environment given, in a session of its own; a name without a
 *     slash is looked up in the PATH of that environment. stdin is /dev/null unless given; stdout
 *     and stderr are created or truncated; the same name for both shares one file. No timeout or 0:
 *     none. After the child has ended every descendant is killed and waited for, untimed.
 *
 *     parallel (1 to 128; 1): that many children at once; child K from the second on writes to FILE.K,
 *     and to /dev/null where FILE is that. The time is from the first start to the last end; the peak
 *     is that of the largest child; times, faults, switches and blocks are sums. The others go on when
 *     one fails; the time limit and cancel kill all.
 *
 *     memory=1: looks every 5 ms at the children's anonymous and proportional memory (smaps_rollup,
 *     proc_pid_smaps(5)); peak is the largest sum over all children, each by itself. And each child is
 *     traced (ptrace(2)) and held at its exit until all have come to theirs or died; then their sum is
 *     read once more, exactly, and all are let go: what is mapped at that moment, not what was given
 *     back before. Signals and stops pass unchanged; descendants do not count; a set-user-id program
 *     runs without its rights. All this costs time. Null: not asked for, or not permitted by the host,
 *     or (exit) a child ended without being held.
 *     {"type":"run","id":N,"status":"exited"|"signaled"|"timed-out"|"cancelled","exitCodes":[n|null...],
 *      "signal":n|null,"signalName":"SIG..."|null,"startedAtNanoseconds":n,"endedAtNanoseconds":n,
 *      "wallNanoseconds":n,"userMicroseconds":n,"systemMicroseconds":n,"maxRssKibibytes":n|null,
 *      "minorFaults":n,"majorFaults":n,"voluntarySwitches":n,"involuntarySwitches":n,"blocksIn":n,
 *      "blocksOut":n,"exitAnonKibibytes":n|null,"exitPssKibibytes":n|null,"peakAnonKibibytes":n|null,
 *      "peakPssKibibytes":n|null,"stragglers":n}
 *     exitCodes: one for each child, null if a signal ended it; signal: of the first such child.
 *     startedAt and endedAt: on CLOCK_BOOTTIME, which is one for the whole host.
 *     {"type":"run","id":N,"status":"spawn-failed","step":"...","errno":n,"message":"..."}
 *   cancel id=N
 *     Kills run N if it is under way. It has no answer of its own: run N answers "cancelled".
 *   lock path=FILE [wait=NS]
 *     Takes FILE exclusively (flock) and holds it for as long as the launcher lives.
 *     {"type":"lock","state":"held"}
 *     {"type":"lock","state":"busy","holder":PID|null}
 *     {"type":"lock","state":"failed","errno":n,"message":"..."}
 *
 * The first answer, before any request, is {"type":"ready","protocol":2,"pid":n}. A request that
 * cannot be understood, or that comes while a run is under way, is answered
 * {"type":"refused","reason":"..."}. src/protocol.ts is the other end.
 *
 * Here: the program. run.c serves `run`, with start.c and trace.c; lock.c serves `lock`; lines.c and
 * request.c read the requests; descendants.c leaves nothing behind, and guard.c sees to it.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int signal_fd = -1;
pid_t known_as = 0;

static uint64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

uint64_t now(void) { return read_clock(CLOCK_MONOTONIC); }

uint64_t since_boot(void) { return read_clock(CLOCK_BOOTTIME); }

void *checked(void *memory) {
  if (!memory) {
    fputs("assay-launcher: out of memory\n", stderr);
    exit(70);
  }
  return memory;
}

void stop(int code) {
  kill_descendants();
  exit(code);
}

static void handle(char *line) {
  struct request request = {0};
  if (!parse_request(line, &request)) refuse("cannot be understood");
  else if (!strcmp(request.verb, "run")) run(&request);
  else if (!strcmp(request.verb, "lock")) lock(&request);
  else if (strcmp(request.verb, "cancel")) refuse("unknown verb");
  free_request(&request);
}

/*
 * Whatever the parent ignored or blocked is undone, so that children start with default signals.
 * SIGPIPE is blocked rather than ignored: a mask is undone in the child by one call.
 */
static void set_up_signals(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t handled, blocked;
  sigemptyset(&handled);
  sigaddset(&handled, SIGTERM), sigaddset(&handled, SIGINT), sigaddset(&handled, SIGHUP);
  blocked = handled;
  sigaddset(&blocked, SIGPIPE);
  sigprocmask(SIG_SETMASK, &blocked, NULL);
  signal_fd = signalfd(-1, &handled, SFD_CLOEXEC);
}

/* What a parent left open would be open in every child, and keep its other end waiting. */
static void close_inherited_files(void) {
  DIR *files = opendir("/proc/self/fd");
  if (!files) return;
  for (struct dirent *entry; (entry = readdir(files));) {
    int file = atoi(entry->d_name);
    if (file > STDERR_FILENO && file != dirfd(files)) close(file);
  }
  closedir(files);
}

static void set_up_family(uint64_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (parent && (uint64_t)getppid() != parent) exit(0); /* it died before its death could be signalled */
  int probe = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (probe < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
    fputs("assay-launcher: needs Linux 5.3 or later (pidfd_open)\n", stderr);
    exit(69);
  }
  close(probe);
}

/* Reads the command line; returns what --guard is to run, or NULL. */
static char **read_arguments(int count, char **arguments, uint64_t *parent) {
  for (int at = 1; at < count; at++) {
    if (!strcmp(arguments[at], "--guard") && at + 1 < count) return arguments + at + 1;
    if (!strncmp(arguments[at], "--parent=", 9) && parse_number(arguments[at] + 9, parent)) continue;
    fputs("usage: assay-launcher [--parent=PID] [--guard PROGRAM ARGUMENT...]\n", stderr);
    exit(64);
  }
  return NULL;
}

/* Marsaglia's xorshift ("Xorshift RNGs", 2003): each round needs the one before. */
static int be_busy(uint64_t rounds) {
  volatile uint64_t kept;
  uint64_t state = 88172645463325252;
  for (; rounds; rounds--) state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  kept = state;
  return kept == 0;
}

static void serve(void) {
  char line[96];
  snprintf(line, sizeof line, "{\"type\":\"ready\",\"protocol\":%d,\"pid\":%d}\n", PROTOCOL, (int)known_as);
  answer(line);
  for (;;) {
    char *request = take_line();
    if (request) {
      handle(request);
      free(request);
      continue;
    }
    if (input_ended) stop(0);
    struct pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = signal_fd, .events = POLLIN}};
    if (poll(sources, 2, -1) < 0) continue;
    if (sources[1].revents) stop(0);
    if (sources[0].revents) fill_input();
  }
}

int main(int argument_count, char **arguments) {
  uint64_t rounds, parent = 0;
  if (argument_count == 2 && !strncmp(arguments[1], "--busy=", 7) && parse_number(arguments[1] + 7, &rounds))
    return be_busy(rounds);
  char **guarded = read_arguments(argument_count, arguments, &parent);
  known_as = getpid();
  close_inherited_files();
  set_up_signals();
  set_up_family(parent);
  guard();
  if (guarded) run_guarded(guarded);
  umask(022);
  serve();
}
