/* Builds JSON value by value: the `--json` output of commands. Names are written in the order in
 * which they are given; docs/json.md lists them. For one thread. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct facts; /* an object, or a list, whose values have the name NULL */

struct facts *facts_open(void);

/* Return a part, which is freed with the whole: a new object, the list of that name, which is made
 * if missing, and a new object at the end of that list. */
struct facts *facts_object(struct facts *facts, const char *name);
struct facts *facts_list(struct facts *facts, const char *name);
struct facts *facts_item(struct facts *facts, const char *list);

/* A text that is NULL or not UTF-8 becomes null, as a number does that is not finite. */
void facts_text(struct facts *facts, const char *name, const char *value);
void facts_number(struct facts *facts, const char *name, double value);
void facts_whole(struct facts *facts, const char *name, uint64_t value);
void facts_flag(struct facts *facts, const char *name, bool value);
void facts_vector(struct facts *facts, const char *name, const double value[3]);

/* Returns the text of an object from facts_open, and frees the object; the caller frees the text.
 */
char *facts_written(struct facts **facts, int indent, int digits);

/* Prints an object from facts_open, and frees it; accepts a pointer to NULL. */
void facts_print(struct facts **facts);
void facts_free(struct facts **facts);
