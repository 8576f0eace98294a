/* Reports the alignment of two films' frames, as findings and as text. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "render/compare/align.h"

/* Judges number and order of the frames, and stores the steps in the case. first_a, first_b:
 * numbers of the films' first frames. */
void order_judge(const struct align_step *steps, size_t count, uint64_t first_a, uint64_t first_b,
                 const struct limits *limits, struct case_report *one);
