/* Times one child, or several at once; account.c tells how it went. */
#define _GNU_SOURCE
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Often enough for a program of 50 ms, seldom enough to leave it most of a processor: 5 ms. */
#define LOOK_EVERY (SECOND / 200)

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

static void kill_all(struct crew *crew) {
  crew->killing = true;
  for (size_t at = 0; at < crew->count; at++) {
    struct child *child = &crew->children[at];
    if (child->ended) continue;
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL);
    if (child->held) let_end(child->pid);
    child->held = false;
  }
}

/* Looks at the memory of all that live. */
static void look(struct crew *crew) {
  struct memory sum = {0};
  bool found = false;
  for (size_t at = 0; at < crew->count; at++)
    if (!crew->children[at].ended) found |= add_memory(crew->children[at].pid, &sum);
  if (found) keep_peak(&crew->peak, &sum);
}

/* Reads the memory of all and lets them end, once none is on its way to its exit any more. */
static void settle(struct crew *crew) {
  for (size_t at = 0; at < crew->count; at++)
    if (!crew->children[at].ended && !crew->children[at].held && !crew->killing) return;
  for (size_t at = 0; at < crew->count; at++) {
    struct child *child = &crew->children[at];
    if (!child->held || child->read || crew->killing) continue;
    child->read = add_memory(child->pid, &crew->at_exit);
    if (child->read) keep_peak(&crew->peak, &crew->at_exit);
  }
  for (size_t at = 0; at < crew->count; at++) {
    if (crew->children[at].held) let_end(crew->children[at].pid);
    crew->children[at].held = false;
  }
}

static void note_stops(struct crew *crew) {
  struct signalfd_siginfo told;
  if (read(crew->stops, &told, sizeof told) < 0 && errno != EAGAIN) return;
  for (size_t at = 0; at < crew->count; at++) {
    struct child *child = &crew->children[at];
    if (!child->ended && !child->held && reached_exit(child->pid)) child->held = true;
  }
}

static void note_ends(struct crew *crew, const struct pollfd *pidfds) {
  for (size_t at = 0; at < crew->count; at++) {
    struct child *child = &crew->children[at];
    if (child->ended || !pidfds[at].revents) continue;
    child->ended = true, child->held = false;
    crew->running--;
    if (child->failure->step) kill_all(crew); /* the others would only be waited for in vain */
  }
}

static enum ending reason_to_end(const struct crew *crew, const struct pollfd *sources) {
  uint64_t timeout = crew->request->timeout;
  if (timeout && now() - crew->started >= timeout) return TIMED_OUT;
  if (sources[1].revents) return STOPPED;
  if (sources[0].revents && cancel_requested(crew->request->id)) return CANCELLED;
  return input_ended ? STOPPED : ENDED;
}

/* How long to sleep: to the time limit, or to the next look; UINT64_MAX without end. */
static uint64_t patience(const struct crew *crew) {
  uint64_t timeout = crew->request->timeout, passed = now() - crew->started;
  if (crew->killing) return UINT64_MAX;
  uint64_t left = !timeout ? UINT64_MAX : passed < timeout ? timeout - passed : 0;
  return crew->request->memory && left > LOOK_EVERY ? LOOK_EVERY : left;
}

static int sleep_until(const struct crew *crew, struct pollfd *sources) {
  sources[0] = (struct pollfd){crew->killing ? -1 : STDIN_FILENO, POLLIN, 0};
  sources[1] = (struct pollfd){crew->killing ? -1 : signal_fd, POLLIN, 0};
  sources[2] = (struct pollfd){crew->stops, POLLIN, 0};
  for (size_t at = 0; at < crew->count; at++)
    sources[3 + at] = (struct pollfd){crew->children[at].ended ? -1 : crew->children[at].pidfd, POLLIN, 0};
  uint64_t most = patience(crew);
  struct timespec limit = {.tv_sec = (time_t)(most / SECOND), .tv_nsec = (long)(most % SECOND)};
  return ppoll(sources, 3 + crew->count, most == UINT64_MAX ? NULL : &limit, NULL);
}

/* Sleeps until all children have ended, by themselves or because there was a reason to end them. */
static enum ending await(struct crew *crew) {
  enum ending ending = ENDED;
  while (crew->running) {
    struct pollfd sources[3 + MOST_CHILDREN];
    int ready = sleep_until(crew, sources);
    if (ready < 0) continue;
    note_ends(crew, sources + 3);
    if (!crew->running) break;
    if (sources[2].revents) note_stops(crew);
    if (crew->stops >= 0) settle(crew);
    if (crew->killing) continue;
    if (ready == 0 && crew->request->memory) look(crew);
    ending = reason_to_end(crew, sources);
    if (ending != ENDED) kill_all(crew);
  }
  return ending;
}

static void reap(struct crew *crew) {
  for (size_t at = 0; at < crew->count; at++) {
    struct child *child = &crew->children[at];
    struct rusage usage = {0};
    close(child->pidfd);
    while (wait4(child->pid, &child->status, 0, &usage) < 0 && errno == EINTR) continue;
    add_usage(&crew->usage, &usage);
    if (!child->read) crew->at_exit.known = false;
  }
  crew->stragglers = kill_descendants();
}

static void start_clocks(struct crew *crew) {
  crew->started_since_boot = since_boot();
  crew->started = now();
}

/* Starts one child; its program begins while the clock runs. */
static bool start_one(struct crew *crew, struct failure *failure) {
  struct child *child = crew->children;
  start_clocks(crew);
  child->pid = start(crew->request, &child->prepared, child->failure, NULL);
  *failure = (struct failure){"fork", errno};
  if (child->pid < 0) return false;
  *failure = (struct failure){child->failure->step, child->failure->number};
  return !failure->step;
}

/* Brings all children to the start, traces them if asked to, and lets all go at once. */
static bool start_together(struct crew *crew, struct failure *failure) {
  int gate[2];
  bool ready = pipe2(gate, O_CLOEXEC) == 0;
  *failure = (struct failure){"gate", errno};
  if (!ready) return false;
  for (size_t at = 0; ready && at < crew->count; at++) {
    struct child *child = &crew->children[at];
    child->pid = start(crew->request, &child->prepared, child->failure, gate);
    *failure = (struct failure){"fork", errno};
    ready = child->pid > 0;
  }
  crew->at_exit.known = crew->request->memory;
  for (size_t at = 0; ready && crew->at_exit.known && at < crew->count; at++)
    crew->at_exit.known = trace(crew->children[at].pid);
  if (ready) start_clocks(crew);
  close(gate[1]);
  close(gate[0]);
  return ready;
}

/* Where a child that was started could not begin. */
static bool find_failure(const struct crew *crew, struct failure *failure) {
  for (size_t at = 0; at < crew->count; at++) {
    const volatile struct failure *found = crew->children[at].failure;
    *failure = (struct failure){found->step, found->number};
    if (failure->step) return true;
  }
  return false;
}

/* Times the children from before their start to the end of the last and accounts for them. */
static void measure(struct crew *crew) {
  struct failure failure = {NULL, 0};
  bool together = crew->request->memory || crew->count > 1;
  if (!(together ? start_together(crew, &failure) : start_one(crew, &failure))) {
    kill_descendants();
    answer_failure(crew->request->id, &failure);
    return;
  }
  for (size_t at = 0; at < crew->count; at++)
    crew->children[at].pidfd = (int)syscall(SYS_pidfd_open, crew->children[at].pid, 0);
  crew->running = crew->count;
  enum ending ending = await(crew);
  crew->ended = now();
  crew->ended_since_boot = since_boot();
  reap(crew);
  if (ending == STOPPED) stop(0);
  if (find_failure(crew, &failure)) answer_failure(crew->request->id, &failure);
  else answer_account(crew, ending);
}

/* Stops of traced children are told by SIGCHLD, which is of no interest otherwise. */
static int listen_for_stops(bool listening) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(listening ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
  return listening ? signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
}

/* Memory shared with forked children, which tell their failures in it; kept for later runs. */
static volatile struct failure *shared_failures(void) {
  static void *shared = MAP_FAILED;
  size_t length = MOST_CHILDREN * sizeof(struct failure);
  if (shared == MAP_FAILED)
    shared = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  memset(checked(shared == MAP_FAILED ? NULL : shared), 0, length);
  return shared;
}

void run(const struct request *request) {
  if (!request->argument_count || !request->cwd || !request->output || !request->errors) {
    refuse("a run needs cwd, stdout, stderr and at least one arg");
    return;
  }
  struct crew crew = {.request = request, .count = request->parallel ? request->parallel : 1};
  volatile struct failure *failures = shared_failures();
  struct failure failure = {NULL, 0};
  bool ready = true;
  for (size_t at = 0; at < crew.count; at++) {
    struct child *child = &crew.children[at];
    *child = (struct child){.failure = failures + at, .prepared.files = {-1, -1, -1}};
    ready = ready && prepare(request, at, &child->prepared, &failure);
  }
  crew.stops = request->memory ? listen_for_stops(true) : -1;
  if (ready) measure(&crew);
  else answer_failure(request->id, &failure);
  if (crew.stops >= 0) close(crew.stops), listen_for_stops(false);
  for (size_t at = 0; at < crew.count; at++) discard(&crew.children[at].prepared);
}
