/* Starts, times and accounts for one child. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Where a start failed: written by the child before it has memory of its own. */
struct failure {
  const char *step;
  int number;
};

static void answer_failure(uint64_t id, const struct failure *failure) {
  char line[512];
  snprintf(line, sizeof line,
           "{\"type\":\"run\",\"id\":%" PRIu64 ",\"status\":\"spawn-failed\",\"step\":\"%s\","
           "\"errno\":%d,\"message\":\"%s\"}\n",
           id, failure->step, failure->number, strerror(failure->number));
  answer(line);
}

/* The program's path, to be freed: a name without a slash is searched for as execvp would, untimed. */
static char *find_program(const struct request *request) {
  const char *name = request->arguments[0], *path = "";
  if (strchr(name, '/')) return strdup(name);
  for (size_t at = 0; at < request->environment_count; at++)
    if (!strncmp(request->environment[at], "PATH=", 5)) path = request->environment[at] + 5;
  errno = ENOENT;
  while (*path) {
    size_t length = strcspn(path, ":");
    char *candidate;
    struct stat facts;
    if (length && asprintf(&candidate, "%.*s/%s", (int)length, path, name) >= 0) {
      if (stat(candidate, &facts) == 0 && S_ISREG(facts.st_mode) && access(candidate, X_OK) == 0)
        return candidate;
      free(candidate);
    }
    path += length + (path[length] == ':');
  }
  errno = ENOENT;
  return NULL;
}

struct prepared {
  char *program;
  int files[3];
};

static int open_output(const char *name) {
  return open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
}

static void discard(struct prepared *prepared) {
  for (int at = 0; at < 3; at++)
    if (prepared->files[at] >= 0 && (at < 2 || prepared->files[2] != prepared->files[1]))
      close(prepared->files[at]);
  free(prepared->program);
}

/* Opens and looks up everything that can be had before the clock starts. */
static bool prepare(const struct request *request, struct prepared *prepared, struct failure *failure) {
  int *files = prepared->files;
  files[0] = open(request->input ? request->input : "/dev/null", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  *failure = (struct failure){"stdin", errno};
  if (files[0] < 0) return false;
  files[1] = open_output(request->output);
  *failure = (struct failure){"stdout", errno};
  if (files[1] < 0) return false;
  files[2] = strcmp(request->output, request->errors) ? open_output(request->errors) : files[1];
  *failure = (struct failure){"stderr", errno};
  if (files[2] < 0) return false;
  prepared->program = find_program(request);
  *failure = (struct failure){"exec", errno};
  return prepared->program != NULL;
}

/*
 * Starts the child as posix_spawn would, which cannot ask for PDEATHSIG: with vfork the cost does
 * not depend on the launcher's memory, and a failure is told through the shared memory.
 */
static pid_t start(const struct request *request, const struct prepared *prepared,
                   volatile struct failure *failure) {
  static char *const nothing[] = {NULL};
  char *const *environment = request->environment ? request->environment : nothing;
  pid_t launcher = getpid();
  pid_t pid = vfork();
  if (pid != 0) return pid;
  sigset_t none;
  sigemptyset(&none);
  const char *step = "session";
  if (setsid() < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) goto failed;
  if (getppid() != launcher) _exit(127); /* it died before its death could be signalled */
  step = "affinity";
  if (request->pinned && sched_setaffinity(0, sizeof request->cpus, &request->cpus) < 0) goto failed;
  step = "working directory";
  if (chdir(request->cwd) < 0) goto failed;
  step = "files";
  for (int at = 0; at < 3; at++)
    if (dup2(prepared->files[at], at) < 0) goto failed;
  step = "exec";
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(prepared->program, request->arguments, environment);
failed:
  failure->number = errno;
  failure->step = step;
  _exit(127);
}

/* Named here because not every C library names them (musl does not). */
static const char *const signal_names[] = {
    [SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",       [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
    [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT",     [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
    [SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1",     [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
    [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",     [SIGTERM] = "SIGTERM", [SIGXCPU] = "SIGXCPU",
    [SIGXFSZ] = "SIGXFSZ", [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF", [SIGPOLL] = "SIGPOLL",
    [SIGSYS] = "SIGSYS"};

enum ending { ENDED, TIMED_OUT, CANCELLED, STOPPED };

/* True when the input asks to cancel this run, or ended. */
static bool cancel_requested(uint64_t id) {
  bool cancelled = false;
  fill_input();
  for (char *line; (line = take_line());) {
    struct request request = {0};
    if (!parse_request(line, &request)) refuse("cannot be understood");
    else if (strcmp(request.verb, "cancel")) refuse("a run is under way");
    else if (request.id == id) cancelled = true;
    free_request(&request);
    free(line);
  }
  return cancelled;
}

/* Sleeps until the child has ended, or until there is a reason to end it. */
static enum ending await(int pidfd, const struct request *request, uint64_t started) {
  for (;;) {
    struct pollfd sources[] = {{.fd = pidfd, .events = POLLIN},
                               {.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = signal_fd, .events = POLLIN}};
    uint64_t passed = now() - started;
    uint64_t left = passed < request->timeout ? request->timeout - passed : 0;
    struct timespec limit = {.tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND)};
    int ready = ppoll(sources, 3, request->timeout ? &limit : NULL, NULL);
    if (ready < 0) continue;
    if (sources[0].revents) return ENDED;
    if (ready == 0) return TIMED_OUT;
    if (sources[2].revents) return STOPPED;
    if (sources[1].revents && cancel_requested(request->id)) return CANCELLED;
    if (input_ended) return STOPPED;
  }
}

static const char *const status_names[] = {
    [ENDED] = "exited", [TIMED_OUT] = "timed-out", [CANCELLED] = "cancelled"};

struct account {
  enum ending ending;
  int status, stragglers;
  uint64_t wall;
  struct rusage usage;
};

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static void answer_account(uint64_t id, const struct account *account) {
  char line[1024], code[16] = "null", number[16] = "null", name[32] = "null";
  const struct rusage *usage = &account->usage;
  bool signaled = WIFSIGNALED(account->status);
  if (signaled) {
    int which = WTERMSIG(account->status);
    bool named = (size_t)which < sizeof signal_names / sizeof *signal_names && signal_names[which];
    snprintf(number, sizeof number, "%d", which);
    if (named) snprintf(name, sizeof name, "\"%s\"", signal_names[which]);
    else snprintf(name, sizeof name, "\"SIG%d\"", which);
  } else {
    snprintf(code, sizeof code, "%d", WEXITSTATUS(account->status));
  }
  snprintf(line, sizeof line,
           "{\"type\":\"run\",\"id\":%" PRIu64 ",\"status\":\"%s\",\"exitCode\":%s,\"signal\":%s,"
           "\"signalName\":%s,\"wallNanoseconds\":%" PRIu64 ",\"userMicroseconds\":%" PRIu64
           ",\"systemMicroseconds\":%" PRIu64 ",\"maxRssKibibytes\":%ld,\"minorFaults\":%ld,"
           "\"majorFaults\":%ld,\"voluntarySwitches\":%ld,\"involuntarySwitches\":%ld,"
           "\"blocksIn\":%ld,\"blocksOut\":%ld,\"stragglers\":%d}\n",
           id, account->ending == ENDED && signaled ? "signaled" : status_names[account->ending],
           code, number, name, account->wall, microseconds(usage->ru_utime),
           microseconds(usage->ru_stime), usage->ru_maxrss, usage->ru_minflt, usage->ru_majflt,
           usage->ru_nvcsw, usage->ru_nivcsw, usage->ru_inblock, usage->ru_oublock,
           account->stragglers);
  answer(line);
}

/* Times one child from before its start to its end and accounts for it. */
static void measure(const struct request *request, const struct prepared *prepared) {
  volatile struct failure failure = {NULL, 0};
  struct account account = {0};
  uint64_t started = now();
  pid_t pid = start(request, prepared, &failure);
  if (pid < 0 || failure.step) {
    struct failure told = {pid < 0 ? "fork" : failure.step, pid < 0 ? errno : failure.number};
    kill_descendants();
    answer_failure(request->id, &told);
    return;
  }
  int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
  account.ending = await(pidfd, request, started);
  if (account.ending != ENDED) {
    kill(-pid, SIGKILL);
    struct pollfd child = {.fd = pidfd, .events = POLLIN};
    while (poll(&child, 1, -1) < 0) continue;
  }
  account.wall = now() - started;
  close(pidfd);
  while (wait4(pid, &account.status, 0, &account.usage) < 0 && errno == EINTR) continue;
  account.stragglers = kill_descendants();
  if (account.ending == STOPPED) stop(0);
  answer_account(request->id, &account);
}

void run(const struct request *request) {
  if (!request->argument_count || !request->cwd || !request->output || !request->errors) {
    refuse("a run needs cwd, stdout, stderr and at least one arg");
    return;
  }
  struct prepared prepared = {.files = {-1, -1, -1}};
  struct failure failure;
  if (prepare(request, &prepared, &failure)) measure(request, &prepared);
  else answer_failure(request->id, &failure);
  discard(&prepared);
}
