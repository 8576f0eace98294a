/* What a command finds out, as one JSON object on the standard output instead of text: names and
 * values in the order in which they are given; docs/json.md lists them. For one thread. */
#ifndef CMD_CLI_JSON_H
#define CMD_CLI_JSON_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct facts; /* an object in the making */

struct facts *facts_open(void);
/* Objects inside it, which are its own: a named one, and a further one of a named list, which
 * facts_list makes as an empty one. */
struct facts *facts_object(struct facts *facts, const char *name);
void facts_list(struct facts *facts, const char *list);
struct facts *facts_item(struct facts *facts, const char *list);

/* A text that is NULL or not UTF-8 becomes null, as a number does that is not finite. */
void facts_text(struct facts *facts, const char *name, const char *value);
void facts_number(struct facts *facts, const char *name, double value);
void facts_whole(struct facts *facts, const char *name, uint64_t value);
void facts_flag(struct facts *facts, const char *name, bool value);
void facts_vector(struct facts *facts, const char *name, const double value[3]);

/* Prints the object that facts_open made, and frees it; accepts a pointer to NULL. */
void facts_print(struct facts **facts);
void facts_free(struct facts **facts);

#endif
