/* A report as JSON. */
#pragma once

#include "cmd/bench/table.h"

/* Writes to the file, or to standard output if `path` is NULL. STATUS_IO if it cannot be
 * written. */
enum status bench_write_json(const struct bench_report *report, const char *path);
