/* The host lock: one file that whoever measures on this host holds. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int lock_fd = -1;

/* Only to interrupt the wait. */
static void wake(int number) { (void)number; }

/* Nothing has been started yet when the lock is waited for, or nothing is left of it. */
static void leave(int number) { _exit(128 + number); }

/*
 * Waits in the kernel, so that a waiting launcher does not disturb the one that measures. The timer
 * repeats until the call has ended: its first signal may come before the call began.
 */
static int lock_within(int file, uint64_t wait) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
  if (errno != EWOULDBLOCK || wait == 0) return errno;
  sigset_t before, open_signals;
  sigprocmask(SIG_SETMASK, NULL, &before);
  open_signals = before;
  struct sigaction waking = {.sa_handler = wake}, leaving = {.sa_handler = leave};
  sigaction(SIGALRM, &waking, NULL);
  for (const int *ends = (const int[]){SIGTERM, SIGINT, SIGHUP, 0}; *ends; ends++) {
    sigaction(*ends, &leaving, NULL);
    sigdelset(&open_signals, *ends);
  }
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)(wait / SECOND),
                                         .tv_usec = (suseconds_t)(wait % SECOND / 1000)},
                            .it_interval = {.tv_usec = 10000}};
  if (!timer.it_value.tv_sec && !timer.it_value.tv_usec) timer.it_value.tv_usec = 1;
  sigprocmask(SIG_SETMASK, &open_signals, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
  int result = flock(file, LOCK_EX) == 0 ? 0 : errno;
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return result == EINTR ? EWOULDBLOCK : result;
}

/*
 * Opens the file for every user of the host: created with mode 0666 whatever the umask, and opened
 * without O_CREAT once it is there, which the kernel refuses in a sticky folder for the file of
 * another user (fs.protected_regular).
 */
static int open_lock(const char *path) {
  for (;;) {
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0 && errno == EACCES) file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0 || errno != ENOENT) return file;
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file >= 0) fchmod(file, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

static void answer_busy(int file) {
  char text[32] = "", line[96];
  ssize_t length = pread(file, text, sizeof text - 1, 0);
  int holder = length > 0 ? atoi(text) : 0;
  if (holder > 0) snprintf(line, sizeof line, "{\"type\":\"lock\",\"state\":\"busy\",\"holder\":%d}\n", holder);
  else snprintf(line, sizeof line, "{\"type\":\"lock\",\"state\":\"busy\",\"holder\":null}\n");
  answer(line);
}

static void answer_lock_failure(int number) {
  char line[256];
  snprintf(line, sizeof line,
           "{\"type\":\"lock\",\"state\":\"failed\",\"errno\":%d,\"message\":\"%s\"}\n", number,
           strerror(number));
  answer(line);
}

/* Whether the path still names the file that was locked: somebody may have removed it meanwhile. */
static bool still_named(int file, const char *path) {
  struct stat locked, named;
  return fstat(file, &locked) == 0 && stat(path, &named) == 0 && locked.st_ino == named.st_ino &&
         locked.st_dev == named.st_dev;
}

void lock(const struct request *request) {
  if (!request->path || lock_fd >= 0) {
    refuse(request->path ? "a lock is already held" : "a lock needs a path");
    return;
  }
  for (uint64_t began = now();;) {
    int file = open_lock(request->path);
    if (file < 0) {
      answer_lock_failure(errno);
      return;
    }
    uint64_t passed = now() - began;
    int result = lock_within(file, passed < request->wait ? request->wait - passed : 0);
    if (result == 0 && still_named(file, request->path)) {
      lock_fd = file;
      break;
    }
    if (result == EWOULDBLOCK) answer_busy(file);
    else if (result) answer_lock_failure(result);
    close(file);
    if (result) return;
  }
  char text[32];
  int length = snprintf(text, sizeof text, "%d\n", (int)known_as);
  /* Best effort: the lock holds without the note, which is there for people and for "busy". */
  if (ftruncate(lock_fd, 0) == 0 && pwrite(lock_fd, text, (size_t)length, 0) < 0) errno = 0;
  answer("{\"type\":\"lock\",\"state\":\"held\"}\n");
}
