/* Whether every packet of a film is whole. */
#ifndef CMD_REGRESSION_VERIFY_PACKETS_H
#define CMD_REGRESSION_VERIFY_PACKETS_H

#include "cmd/regression/verify/subject.h"

/* Each decodes without a word of warning, key frames are marked as the stream has them, GOPs are
 * closed and no longer than the encoder makes them (an open GOP of a film by others is a warning).
 * Not applicable to PNG files, whose damage verify_pictures finds. */
void verify_packets(const struct subject *subject, struct stage_report *stage);

/* After `finding` was added, which is the last: says it beside what was found before. */
void verify_packets_conclude(struct stage_report *stage, const struct finding *finding);

#endif
