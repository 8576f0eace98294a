/* A report as text. */
#ifndef CMD_BENCH_PRINT_H
#define CMD_BENCH_PRINT_H

#include "cmd/bench/table.h"

/* On the standard output. STATUS_IO when it cannot be written. */
enum status bench_print(const struct bench_report *report);

#endif
