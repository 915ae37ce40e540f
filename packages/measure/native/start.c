/* Prepares and starts a child. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What child `at` writes: children other than the first have files of their own. */
static int open_output(const char *name, size_t at) {
  char *own = NULL;
  if (at > 0 && strcmp(name, "/dev/null") && asprintf(&own, "%s.%zu", name, at + 1) < 0) return -1;
  int file = open(own ? own : name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  int number = errno;
  free(own);
  errno = number;
  return file;
}

void discard(struct prepared *prepared) {
  for (int at = 0; at < 3; at++)
    if (prepared->files[at] >= 0 && (at < 2 || prepared->files[2] != prepared->files[1]))
      close(prepared->files[at]);
  free(prepared->program);
}

bool prepare(const struct request *request, size_t at, struct prepared *prepared, struct failure *failure) {
  int *files = prepared->files;
  files[0] = open(request->input ? request->input : "/dev/null", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  *failure = (struct failure){"stdin", errno};
  if (files[0] < 0) return false;
  files[1] = open_output(request->output, at);
  *failure = (struct failure){"stdout", errno};
  if (files[1] < 0) return false;
  files[2] = strcmp(request->output, request->errors) ? open_output(request->errors, at) : files[1];
  *failure = (struct failure){"stderr", errno};
  if (files[2] < 0) return false;
  prepared->program = find_program(request);
  *failure = (struct failure){"exec", errno};
  return prepared->program != NULL;
}

/* Waits until every writing end is closed, its own first. */
static bool pass(const int *gate) {
  char nothing;
  close(gate[1]);
  return read(gate[0], &nothing, 1) == 0;
}

/*
 * Starts the child as posix_spawn would, which cannot ask for PDEATHSIG. With vfork the cost does not
 * depend on the launcher's memory, but the launcher sleeps until the child's program begins: a child
 * that has to wait for it is forked.
 */
pid_t start(const struct request *request, const struct prepared *prepared,
            volatile struct failure *failure, const int *gate) {
  static char *const nothing[] = {NULL};
  char *const *environment = request->environment ? request->environment : nothing;
  pid_t launcher = getpid();
  pid_t pid = gate ? fork() : vfork();
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
  step = "gate";
  if (gate && !pass(gate)) goto failed;
  step = "exec";
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(prepared->program, request->arguments, environment);
failed:
  failure->number = errno;
  failure->step = step;
  _exit(127);
}
