/* Small texts: parts of sentences, and paths. Thread-safe. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* asprintf that never returns NULL, see base/memory.h. The caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends `name` to the list "a, b, c" in `list`, which begins as ""; what does not fit in `size`
 * bytes is cut off. */
void text_list(char *list, size_t size, const char *name);

/* A number without its fraction, thousands apart: "65,536". */
void text_whole(char *text, size_t size, double value);

#endif
