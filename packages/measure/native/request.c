/* Request lines to requests: a verb and percent-encoded key=value tokens. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int hex(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

/* Decodes in place; false on a broken escape and on a NUL, which no C string can hold. */
static bool decode(char *text) {
  char *to = text;
  for (char *from = text; *from; from++) {
    if (*from != '%') {
      *to++ = *from;
      continue;
    }
    int high = hex(from[1]), low = high < 0 ? -1 : hex(from[2]);
    if (low < 0 || high * 16 + low == 0) return false;
    *to++ = (char)(high * 16 + low);
    from += 2;
  }
  *to = '\0';
  return true;
}

bool parse_number(const char *text, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* A list as in the kernel's cpulist files: 0,2-3. */
static bool parse_cpus(const char *text, cpu_set_t *cpus) {
  CPU_ZERO(cpus);
  for (const char *at = text;;) {
    char *end;
    if (*at < '0' || *at > '9') return false;
    unsigned long first = strtoul(at, &end, 10), last = first;
    if (*end == '-') {
      if (end[1] < '0' || end[1] > '9') return false;
      last = strtoul(end + 1, &end, 10);
    }
    if (first > last || last >= CPU_SETSIZE) return false;
    for (; first <= last; first++) CPU_SET(first, cpus);
    if (*end == '\0') return true;
    if (*end != ',') return false;
    at = end + 1;
  }
}

/* Appends to a list that always ends in NULL. */
static void append(char ***list, size_t *count, char *text) {
  *list = checked(realloc(*list, (*count + 2) * sizeof **list));
  (*list)[(*count)++] = text;
  (*list)[*count] = NULL;
}

static bool parse_parallel(const char *text, size_t *parallel) {
  uint64_t number;
  if (!parse_number(text, &number) || number < 1 || number > MOST_CHILDREN) return false;
  *parallel = number;
  return true;
}

static bool parse_switch(const char *text, bool *on) {
  uint64_t number;
  if (!parse_number(text, &number) || number > 1) return false;
  *on = number;
  return true;
}

static bool set_field(struct request *request, const char *key, char *value) {
  if (!decode(value)) return false;
  if (!strcmp(key, "arg")) append(&request->arguments, &request->argument_count, value);
  else if (!strcmp(key, "env")) append(&request->environment, &request->environment_count, value);
  else if (!strcmp(key, "cwd")) request->cwd = value;
  else if (!strcmp(key, "stdin")) request->input = value;
  else if (!strcmp(key, "stdout")) request->output = value;
  else if (!strcmp(key, "stderr")) request->errors = value;
  else if (!strcmp(key, "path")) request->path = value;
  else if (!strcmp(key, "id")) return parse_number(value, &request->id);
  else if (!strcmp(key, "timeout")) return parse_number(value, &request->timeout);
  else if (!strcmp(key, "wait")) return parse_number(value, &request->wait);
  else if (!strcmp(key, "parallel")) return parse_parallel(value, &request->parallel);
  else if (!strcmp(key, "memory")) return parse_switch(value, &request->memory);
  else if (!strcmp(key, "cpus")) return request->pinned = parse_cpus(value, &request->cpus);
  else return false;
  return true;
}

bool parse_request(char *line, struct request *request) {
  char *rest;
  request->verb = strtok_r(line, " ", &rest);
  if (!request->verb) return false;
  for (char *token; (token = strtok_r(NULL, " ", &rest));) {
    char *value = strchr(token, '=');
    if (!value) return false;
    *value++ = '\0';
    if (!set_field(request, token, value)) return false;
  }
  return true;
}

void free_request(struct request *request) {
  free(request->arguments);
  free(request->environment);
}
