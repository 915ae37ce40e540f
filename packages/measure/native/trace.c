/*
 * Memory that is a process's own or its share. A process's exit is the last moment at which its memory can be read, and
 * only a tracer is told of it in time. PTRACE_SEIZE, unlike PTRACE_ATTACH, stops nothing by itself.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

bool trace(pid_t pid) {
  return ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL) == 0;
}

void let_end(pid_t pid) { ptrace(PTRACE_CONT, pid, NULL, NULL); }

static bool stops(int number) {
  return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

/* The kinds of stops, and how each is passed on so that nothing changes: ptrace(2). */
bool reached_exit(pid_t pid) {
  siginfo_t stop = {0};
  while (waitid(P_PID, (id_t)pid, &stop, WSTOPPED | WNOHANG | __WALL) == 0 && stop.si_pid == pid) {
    int number = stop.si_status & 0xff, event = stop.si_status >> 8;
    if (event == PTRACE_EVENT_EXIT) return true;
    if (event == PTRACE_EVENT_STOP && stops(number)) ptrace(PTRACE_LISTEN, pid, NULL, NULL);
    else ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)(event ? 0 : number));
    stop.si_pid = 0;
  }
  return false;
}

static bool read_rollup(pid_t pid, struct memory *found) {
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
  FILE *rollup = fopen(path, "re");
  if (!rollup) return false;
  int fields = 0;
  while (fgets(line, sizeof line, rollup)) {
    fields += sscanf(line, "Pss: %" SCNu64 " kB", &found->proportional_kibibytes) == 1;
    fields += sscanf(line, "Anonymous: %" SCNu64 " kB", &found->anonymous_kibibytes) == 1;
  }
  fclose(rollup);
  return fields == 2;
}

/*
 * `Anonymous` is what /proc/PID/status calls RssAnon, but counted page by page: the latter may be off
 * by a batch of pages for each processor (proc_pid_status(5)).
 */
bool add_memory(pid_t pid, struct memory *sum) {
  struct memory found = {0};
  if (!read_rollup(pid, &found)) return false;
  sum->anonymous_kibibytes += found.anonymous_kibibytes;
  sum->proportional_kibibytes += found.proportional_kibibytes;
  return true;
}

static uint64_t larger(uint64_t left, uint64_t right) { return left > right ? left : right; }

void keep_peak(struct memory *peak, const struct memory *sum) {
  peak->known = true;
  peak->anonymous_kibibytes = larger(peak->anonymous_kibibytes, sum->anonymous_kibibytes);
  peak->proportional_kibibytes = larger(peak->proportional_kibibytes, sum->proportional_kibibytes);
}
