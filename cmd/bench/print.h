/* A report as text. */
#ifndef CMD_BENCH_PRINT_H
#define CMD_BENCH_PRINT_H

#include "cmd/bench/table.h"

/* On the standard output: the machine, then each table as it becomes ready. STATUS_IO when it
 * cannot be written. */
enum status bench_print_machine(const struct bench_report *report);
enum status bench_print_table(const struct bench_table *table);

#endif
