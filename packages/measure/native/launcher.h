/* What the launcher's files share; launcher.c describes the program and its protocol. */
#ifndef ASSAY_LAUNCHER_H
#define ASSAY_LAUNCHER_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* the same number on every architecture; Linux 5.3 */
#endif

#define PROTOCOL 1
#define SECOND UINT64_C(1000000000)

/* Readable when the launcher was told to end by a signal. */
extern int signal_fd;

/* Kills the descendants, then exits. */
void stop(int code) __attribute__((noreturn));
/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t now(void);
/* The memory, or the end of the program. */
void *checked(void *memory);

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

struct request {
  char *verb, *cwd, *input, *output, *errors, *path;
  uint64_t id, timeout, wait;
  /* NULL, or lists that end in NULL. */
  char **arguments, **environment;
  size_t argument_count, environment_count;
  bool pinned;
  cpu_set_t cpus;
};

/* Fills a zeroed request from a line, which it cuts up and which must outlive it. */
bool parse_request(char *line, struct request *request);
void free_request(struct request *request);
bool parse_number(const char *text, uint64_t *number);

/* ---- run.c and lock.c: each serves one verb and answers it */

void run(const struct request *request);
void lock(const struct request *request);

#endif
