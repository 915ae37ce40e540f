/* Leaves nothing behind: finds, kills and reaps whatever a child has started. */
#define _GNU_SOURCE
#include "launcher.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int kill_listed_children(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *list = fopen(path, "re");
  if (!list) return -1;
  int killed = 0, pid;
  while (fscanf(list, "%d", &pid) == 1) killed += kill(pid, SIGKILL) == 0;
  fclose(list);
  return killed;
}

/* For kernels without CONFIG_PROC_CHILDREN: every process whose parent is this one. */
static int kill_found_children(void) {
  DIR *processes = opendir("/proc");
  if (!processes) return 0;
  int killed = 0;
  for (struct dirent *entry; (entry = readdir(processes));) {
    int pid = atoi(entry->d_name), parent;
    char path[64], line[512], *after;
    if (pid <= 0) continue;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *stat = fopen(path, "re");
    if (!stat) continue;
    if (fgets(line, sizeof line, stat) && (after = strrchr(line, ')')) &&
        sscanf(after, ") %*c %d", &parent) == 1 && parent == getpid())
      killed += kill(pid, SIGKILL) == 0;
    fclose(stat);
  }
  closedir(processes);
  return killed;
}

/* Whether a child has ended by our signal; one that is traced may first stop at its exit. */
static bool was_killed(pid_t pid, int status) {
  if (WIFSTOPPED(status)) let_end(pid);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/*
 * Kills and reaps whatever is left. Descendants of a killed process come to this one, their
 * subreaper, so killing children until there is none kills the whole tree, whatever sessions it
 * spread over. Returns how many had to be killed; those that had ended by themselves do not count.
 */
int kill_descendants(void) {
  int stragglers = 0, status;
  for (;;) {
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) stragglers += was_killed(ended, status);
    if (ended < 0 && errno != EINTR) return stragglers;
    int killed = kill_listed_children();
    if (killed < 0) killed = kill_found_children();
    if (killed > 0 && (ended = waitpid(-1, &status, 0)) > 0) stragglers += was_killed(ended, status);
    /* The list is not exact while processes come and go; one owned by another user ends by itself. */
    if (killed <= 0) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
}
