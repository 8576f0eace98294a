/* The part of a baseline's text that is not the film's record. */
#pragma once

#include "cmd/regression/baseline/contents.h"

/* Returns the section "baseline"; the caller frees it. NULL when a string in it is not UTF-8. */
char *baseline_to_json(const struct baseline *baseline);

/* Fills in everything that baseline_free frees except record, path, name, folder and hash. Returns
 * STATUS_USAGE for a newer format, and STATUS_IO for a text that baseline_to_json did not make. */
enum status baseline_from_json(struct baseline *baseline, const char *text);
