/*
 * The guard: a process above the one that works, so that neither can be killed without the other
 * ending whatever is left. It is the subreaper of all that the working process starts: when that one
 * dies, its orphans come to the guard, which kills them; when the guard dies, the kernel tells the
 * working process, which kills them itself. Both share one table of open files: the host lock is held
 * until the last descendant is gone, whichever of the two survives.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static sigset_t set_of(const int *numbers) {
  sigset_t set;
  sigemptyset(&set);
  for (; *numbers; numbers++) sigaddset(&set, *numbers);
  return set;
}

/* What is waited for: a child's end, or being told to end. All are blocked. */
static sigset_t watched(void) { return set_of((const int[]){SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0}); }

/* Reaps what has ended. True once `pid` has, or nobody is left; its status is kept. */
static bool reap_until(pid_t pid, int *kept) {
  int status;
  pid_t ended;
  while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
    if (ended != pid) continue;
    *kept = status;
    return true;
  }
  return ended < 0 && errno == ECHILD;
}

/* Ends as a guarded process did: with its code, or by its signal. */
static void end_like(int status) {
  if (WIFEXITED(status)) exit(WEXITSTATUS(status));
  int number = WTERMSIG(status);
  sigset_t one = set_of((const int[]){number, 0});
  signal(number, SIG_DFL);
  kill(getpid(), number);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  exit(128 + number);
}

/* The guard's whole life. */
static void keep_watch(pid_t worker) {
  sigset_t signals = watched();
  int status = 0;
  while (!reap_until(worker, &status)) {
    int number = sigwaitinfo(&signals, NULL);
    if (number > 0 && number != SIGCHLD) kill(worker, SIGTERM);
  }
  kill_descendants();
  end_like(status);
}

void guard(void) {
  sigset_t before, child_ends = set_of((const int[]){SIGCHLD, 0});
  sigprocmask(SIG_BLOCK, &child_ends, &before);
  pid_t above = getpid();
  /* Not fork(), which would copy the table of open files. */
  pid_t worker = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
  if (worker < 0) {
    fprintf(stderr, "assay-launcher: cannot fork: %s\n", strerror(errno));
    exit(71);
  }
  if (worker > 0) keep_watch(worker);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) exit(69);
  if (getppid() != above) exit(0); /* it died before its death could be signalled */
}

/* Starts a program in a session of its own, with nothing but what this process was given. */
static pid_t start_guarded(char **arguments, int *failure) {
  int told[2];
  pid_t above = getpid(), pid = -1;
  *failure = 0;
  if (pipe2(told, O_CLOEXEC) == 0 && (pid = fork()) == 0) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    sigset_t none = set_of((const int[]){0});
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != above) _exit(127);
    if (nothing >= 0) dup2(nothing, STDOUT_FILENO);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(arguments[0], arguments);
    *failure = errno;
    _exit(write(told[1], failure, sizeof *failure) > 0 ? 127 : 126);
  }
  if (pid < 0) {
    *failure = errno;
    return -1;
  }
  close(told[1]);
  if (read(told[0], failure, sizeof *failure) < 0) *failure = errno;
  close(told[0]);
  return pid;
}

static void tell_end(int failure, int status) {
  char line[32];
  if (failure) snprintf(line, sizeof line, "failed %d\n", failure);
  else if (WIFEXITED(status)) snprintf(line, sizeof line, "exited %d\n", WEXITSTATUS(status));
  else snprintf(line, sizeof line, "signaled %d\n", WTERMSIG(status));
  answer(line);
  close(STDOUT_FILENO);
}

/* Sleeps until `pid` has ended, or with -1 everybody; told to end, it kills all and ends. */
static int await_end(pid_t pid) {
  sigset_t signals = watched();
  int status = 0;
  while (!reap_until(pid, &status)) {
    int number = sigwaitinfo(&signals, NULL);
    if (number > 0 && number != SIGCHLD) stop(128 + number);
  }
  return status;
}

void run_guarded(char **arguments) {
  sigset_t signals = watched();
  int failure;
  sigprocmask(SIG_BLOCK, &signals, NULL);
  pid_t pid = start_guarded(arguments, &failure);
  tell_end(failure, pid > 0 ? await_end(pid) : 0);
  await_end(-1);
  exit(0);
}
