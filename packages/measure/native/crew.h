/* The children of one run: what run.c keeps of them and account.c tells. */
#ifndef ASSAY_CREW_H
#define ASSAY_CREW_H

#include "launcher.h"

#include <sys/resource.h>

enum ending { ENDED, TIMED_OUT, CANCELLED, STOPPED };

struct child {
  struct prepared prepared;
  volatile struct failure *failure;
  pid_t pid;
  int pidfd, status;
  /* Held: stays at its exit. Read: its memory was added. */
  bool ended, held, read;
};

/* The children of one run. */
struct crew {
  const struct request *request;
  size_t count, running;
  struct child children[MOST_CHILDREN];
  /* Readable when a traced child has stopped; -1 where none is traced. */
  int stops;
  bool killing;
  int stragglers;
  /* Sums over the children: of all at their exit, and the largest seen at one look. */
  struct memory at_exit, peak;
  uint64_t started, ended, started_since_boot, ended_since_boot;
  struct rusage usage;
};

/* ---- account.c */

/* Adds one child's usage to the crew's; the peak is that of the largest. */
void add_usage(struct rusage *sum, const struct rusage *usage);
/* Answers how a run went. */
void answer_account(const struct crew *crew, enum ending ending);
/* Answers why a child could not be started. */
void answer_failure(uint64_t id, const struct failure *failure);

#endif
