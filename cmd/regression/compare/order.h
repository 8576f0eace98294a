/* Which frame of one film met which of another, as findings and for people. */
#ifndef CMD_REGRESSION_COMPARE_ORDER_H
#define CMD_REGRESSION_COMPARE_ORDER_H

#include "cmd/regression/judge/report.h"
#include "render/compare/align.h"

/* Judges count and order, and gives the steps to the case. first_a, first_b: numbers of the films'
 * first frames. */
void order_judge(const struct align_step *steps, size_t count, uint64_t first_a, uint64_t first_b,
                 const struct limits *limits, struct case_report *one);

#endif
