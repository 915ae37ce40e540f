/* The two ends of the conversation: request lines in, answer lines out. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longer than any argument list the kernel takes (a quarter of an 8 MiB stack), encoded. */
#define LONGEST_LINE (16u << 20)

bool input_ended;

static char *input;
static size_t input_length, input_room;

void fill_input(void) {
  if (input_room - input_length < 4096) {
    input_room = input_room ? input_room * 2 : 16384;
    if (input_room > LONGEST_LINE) {
      fputs("assay-launcher: a request is longer than 16 MiB\n", stderr);
      stop(65);
    }
    input = checked(realloc(input, input_room));
  }
  ssize_t count = read(STDIN_FILENO, input + input_length, input_room - input_length);
  if (count > 0) input_length += (size_t)count;
  else if (count == 0 || (errno != EINTR && errno != EAGAIN)) input_ended = true;
}

char *take_line(void) {
  char *end = input_length ? memchr(input, '\n', input_length) : NULL;
  if (!end) return NULL;
  size_t length = (size_t)(end - input);
  char *line = checked(malloc(length + 1));
  memcpy(line, input, length);
  line[length] = '\0';
  input_length -= length + 1;
  memmove(input, end + 1, input_length);
  return line;
}

void answer(const char *line) {
  size_t length = strlen(line);
  while (length) {
    ssize_t count = write(STDOUT_FILENO, line, length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) stop(74);
    line += count;
    length -= (size_t)count;
  }
}

void refuse(const char *reason) {
  char line[256];
  snprintf(line, sizeof line, "{\"type\":\"refused\",\"reason\":\"%s\"}\n", reason);
  answer(line);
}
