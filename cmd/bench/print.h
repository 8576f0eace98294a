/* A report as text and as JSON. */
#pragma once

#include "cmd/bench/table.h"

/* Prints to standard output: the machine, then each table as it becomes ready. STATUS_IO if writing
 * fails. */
enum status bench_print_machine(const struct bench_report *report);
enum status bench_print_table(const struct bench_table *table);

/* Writes to the file, or to standard output if `path` is NULL. STATUS_IO if it cannot be
 * written. */
enum status bench_write_json(const struct bench_report *report, const char *path);
