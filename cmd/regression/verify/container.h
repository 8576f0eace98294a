/* What a film's file says of itself: how many frames, when they are shown, in which colours. */
#ifndef CMD_REGRESSION_VERIFY_CONTAINER_H
#define CMD_REGRESSION_VERIFY_CONTAINER_H

#include "cmd/regression/verify/subject.h"

/* Of a film by this program everything must be as its encoder and muxer write it. Of others
 * container and stream must agree; what is not said, and an uneven step, is a warning. Not
 * applicable to PNG files but for their count. */
void verify_container(const struct subject *subject, struct stage_report *stage);

/* After a finding was added: says all that is wrong, or in one line what is right. */
void verify_container_conclude(struct stage_report *stage);

#endif
