/* JSON that is only written, value by value: what a command finds out, as one object on the
 * standard output instead of text. Names and values come in the order in which they are given;
 * docs/json.md lists them. For one thread. */
#ifndef BASE_JSON_FACTS_H
#define BASE_JSON_FACTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct facts; /* an object or a list in the making; in a list, no value has a name: NULL */

struct facts *facts_open(void);

/* Parts of it, which it frees: a new object, the list of that name, and a further object of such a
 * list. */
struct facts *facts_object(struct facts *facts, const char *name);
struct facts *facts_list(struct facts *facts, const char *name);
struct facts *facts_item(struct facts *facts, const char *list);

/* A text that is NULL or not UTF-8 becomes null, as a number does that is not finite. */
void facts_text(struct facts *facts, const char *name, const char *value);
void facts_number(struct facts *facts, const char *name, double value);
void facts_whole(struct facts *facts, const char *name, uint64_t value);
void facts_flag(struct facts *facts, const char *name, bool value);
void facts_vector(struct facts *facts, const char *name, const double value[3]);

/* The text of the object that facts_open made, which is freed; the caller frees the text. */
char *facts_written(struct facts **facts, int indent, int digits);

/* Prints the object that facts_open made, and frees it; accepts a pointer to NULL. */
void facts_print(struct facts **facts);
void facts_free(struct facts **facts);

#endif
