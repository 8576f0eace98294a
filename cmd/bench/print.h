/* A report as text. */
#pragma once

#include "cmd/bench/table.h"

/* Prints to standard output: the machine, then each table as it becomes ready. STATUS_IO if writing
 * fails. */
enum status bench_print_machine(const struct bench_report *report);
enum status bench_print_table(const struct bench_table *table);
