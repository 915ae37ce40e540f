/* Accounts for the children of a run: sums, and the answers on the wire. */
#define _GNU_SOURCE
#include "crew.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

void answer_failure(uint64_t id, const struct failure *failure) {
  char line[512];
  snprintf(line, sizeof line,
           "{\"type\":\"run\",\"id\":%" PRIu64 ",\"status\":\"spawn-failed\",\"step\":\"%s\","
           "\"errno\":%d,\"message\":\"%s\"}\n",
           id, failure->step, failure->number, strerror(failure->number));
  answer(line);
}

void add_usage(struct rusage *sum, const struct rusage *usage) {
  timeradd(&sum->ru_utime, &usage->ru_utime, &sum->ru_utime);
  timeradd(&sum->ru_stime, &usage->ru_stime, &sum->ru_stime);
  if (usage->ru_maxrss > sum->ru_maxrss) sum->ru_maxrss = usage->ru_maxrss;
  sum->ru_minflt += usage->ru_minflt, sum->ru_majflt += usage->ru_majflt;
  sum->ru_nvcsw += usage->ru_nvcsw, sum->ru_nivcsw += usage->ru_nivcsw;
  sum->ru_inblock += usage->ru_inblock, sum->ru_oublock += usage->ru_oublock;
}

/* Named here because not every C library names them (musl does not). */
static const char *const signal_names[] = {
    [SIGHUP] = "SIGHUP",   [SIGINT] = "SIGINT",       [SIGQUIT] = "SIGQUIT", [SIGILL] = "SIGILL",
    [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT",     [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
    [SIGKILL] = "SIGKILL", [SIGUSR1] = "SIGUSR1",     [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
    [SIGPIPE] = "SIGPIPE", [SIGALRM] = "SIGALRM",     [SIGTERM] = "SIGTERM", [SIGXCPU] = "SIGXCPU",
    [SIGXFSZ] = "SIGXFSZ", [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF", [SIGPOLL] = "SIGPOLL",
    [SIGSYS] = "SIGSYS"};

static const char *const status_names[] = {
    [ENDED] = "exited", [TIMED_OUT] = "timed-out", [CANCELLED] = "cancelled"};

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

/* Writes the exit codes as a list; returns the status of the first child that a signal ended, or 0. */
static int print_exits(const struct crew *crew, FILE *line) {
  int signaled = 0;
  fputs("\"exitCodes\":[", line);
  for (size_t at = 0; at < crew->count; at++) {
    int status = crew->children[at].status;
    if (at) fputc(',', line);
    if (!WIFSIGNALED(status)) fprintf(line, "%d", WEXITSTATUS(status));
    else fputs("null", line);
    if (WIFSIGNALED(status) && !signaled) signaled = status;
  }
  fputc(']', line);
  return signaled;
}

static void print_signal(int status, FILE *line) {
  int which = status ? WTERMSIG(status) : 0;
  bool named = (size_t)which < sizeof signal_names / sizeof *signal_names && signal_names[which];
  if (!which) fputs(",\"signal\":null,\"signalName\":null", line);
  else if (named) fprintf(line, ",\"signal\":%d,\"signalName\":\"%s\"", which, signal_names[which]);
  else fprintf(line, ",\"signal\":%d,\"signalName\":\"SIG%d\"", which, which);
}

static void print_usage(const struct rusage *usage, FILE *line) {
  fprintf(line,
          ",\"userMicroseconds\":%" PRIu64 ",\"systemMicroseconds\":%" PRIu64
          ",\"maxRssKibibytes\":%ld,\"minorFaults\":%ld,\"majorFaults\":%ld,\"voluntarySwitches\":%ld,"
          "\"involuntarySwitches\":%ld,\"blocksIn\":%ld,\"blocksOut\":%ld",
          microseconds(usage->ru_utime), microseconds(usage->ru_stime), usage->ru_maxrss,
          usage->ru_minflt, usage->ru_majflt, usage->ru_nvcsw, usage->ru_nivcsw, usage->ru_inblock,
          usage->ru_oublock);
}

static void print_number(const char *name, bool known, uint64_t number, FILE *line) {
  if (known) fprintf(line, ",\"%s\":%" PRIu64, name, number);
  else fprintf(line, ",\"%s\":null", name);
}

static void print_memory(const struct memory *at_exit, const struct memory *peak, FILE *line) {
  print_number("exitAnonKibibytes", at_exit->known, at_exit->anonymous_kibibytes, line);
  print_number("exitPssKibibytes", at_exit->known, at_exit->proportional_kibibytes, line);
  print_number("peakAnonKibibytes", peak->known, peak->anonymous_kibibytes, line);
  print_number("peakPssKibibytes", peak->known, peak->proportional_kibibytes, line);
}

void answer_account(const struct crew *crew, enum ending ending) {
  char text[4096];
  FILE *line = checked(fmemopen(text, sizeof text, "w"));
  int signaled = 0;
  for (size_t at = 0; at < crew->count; at++) signaled |= WIFSIGNALED(crew->children[at].status);
  fprintf(line, "{\"type\":\"run\",\"id\":%" PRIu64 ",\"status\":\"%s\",", crew->request->id,
          ending == ENDED && signaled ? "signaled" : status_names[ending]);
  print_signal(print_exits(crew, line), line);
  fprintf(line,
          ",\"startedAtNanoseconds\":%" PRIu64 ",\"endedAtNanoseconds\":%" PRIu64
          ",\"wallNanoseconds\":%" PRIu64,
          crew->started_since_boot, crew->ended_since_boot, crew->ended - crew->started);
  print_usage(&crew->usage, line);
  print_memory(&crew->at_exit, &crew->peak, line);
  fprintf(line, ",\"stragglers\":%d}\n", crew->stragglers);
  fclose(line);
  answer(text);
}
