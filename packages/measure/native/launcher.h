/* What the launcher's files share; launcher.c describes the program and its protocol. */
#ifndef ASSAY_LAUNCHER_H
#define ASSAY_LAUNCHER_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* the same number on every architecture; Linux 5.3 */
#endif

#define PROTOCOL 2
#define SECOND UINT64_C(1000000000)

/* Readable when the launcher was told to end by a signal. */
extern int signal_fd;
/* The process that was started, by which the launcher is known to others. */
extern pid_t known_as;

/* Kills the descendants, then exits. */
void stop(int code) __attribute__((noreturn));
/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t now(void);
/* CLOCK_BOOTTIME in nanoseconds: goes on while the host is suspended, and is the same for all. */
uint64_t since_boot(void);
/* The memory, or the end of the program. */
void *checked(void *memory);

/* ---- guard.c */

/* Puts a guard above this process: returns in a new one, which works; the caller watches for ever. */
void guard(void);
/* Runs a program, tells its end, and stays until nothing is left of it. */
void run_guarded(char **arguments) __attribute__((noreturn));

/* ---- descendants.c */

/*
 * Kills and reaps every descendant. Returns how many had to be killed; those that had ended by
 * themselves do not count.
 */
int kill_descendants(void);

/* ---- lines.c */

/* Whether stdin has come to its end. */
extern bool input_ended;
/* Reads what is there; marks the end of the input. */
void fill_input(void);
/* The next whole line without its end, to be freed; NULL when there is none yet. */
char *take_line(void);
/* Writes one answer; a parent that no longer reads ends the launcher. */
void answer(const char *line);
/* Answers that a request cannot be served; the reason is a constant without quotes. */
void refuse(const char *reason);

/* ---- request.c */

/* Each needs four files of its own, and a process may have no more than 1024 by default. */
#define MOST_CHILDREN 128

struct request {
  char *verb, *cwd, *input, *output, *errors, *path;
  uint64_t id, timeout, wait;
  /* NULL, or lists that end in NULL. */
  char **arguments, **environment;
  size_t argument_count, environment_count;
  /* How many children; 0 as 1. */
  size_t parallel;
  bool memory, pinned;
  cpu_set_t cpus;
};

/* Fills a zeroed request from a line, which it cuts up and which must outlive it. */
bool parse_request(char *line, struct request *request);
void free_request(struct request *request);
bool parse_number(const char *text, uint64_t *number);

/* ---- start.c */

/* Where a start failed: written by the child, in memory that it shares. */
struct failure {
  const char *step;
  int number;
};

/* One child's program and files. */
struct prepared {
  char *program;
  int files[3];
};

/* Opens and looks up everything that can be had before the clock starts, for child `at` from 0. */
bool prepare(const struct request *request, size_t at, struct prepared *prepared, struct failure *failure);
void discard(struct prepared *prepared);

/*
 * Starts a child; -1 as fork. With a gate, a pipe, it waits before its program begins until every
 * writing end is closed; without one, it has begun, or has failed, on return.
 */
pid_t start(const struct request *request, const struct prepared *prepared,
            volatile struct failure *failure, const int *gate);

/* ---- trace.c */

struct memory {
  bool known;
  uint64_t anonymous_kibibytes, proportional_kibibytes;
};

/* Traces a child that has not begun, only to be told of its exit; false where the host forbids it. */
bool trace(pid_t pid);
/* Looks why a traced child stopped. True at its exit, where it stays; else it has been sent on. */
bool reached_exit(pid_t pid);
/* Lets a child that stays at its exit end. */
void let_end(pid_t pid);
/* Adds what a process occupies; false where that cannot be read. */
bool add_memory(pid_t pid, struct memory *sum);
/* Raises a peak to what was found, each of the two by itself. */
void keep_peak(struct memory *peak, const struct memory *sum);

/* ---- run.c and lock.c: each serves one verb and answers it */

void run(const struct request *request);
void lock(const struct request *request);

#endif
