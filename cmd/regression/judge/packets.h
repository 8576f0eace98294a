/* Whether two films are encoded alike: bits with the same encoder and pictures, else what each
 * loses against its own pictures. Pure. */
#ifndef CMD_REGRESSION_JUDGE_PACKETS_H
#define CMD_REGRESSION_JUDGE_PACKETS_H

#include "cmd/regression/judge/comparison.h"

enum status judge_packets(const struct comparison *comparison, struct stage_report *stage);

#endif
