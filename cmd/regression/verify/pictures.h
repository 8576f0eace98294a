/* Whether a film's pictures can be pictures of something that moves. */
#ifndef CMD_REGRESSION_VERIFY_PICTURES_H
#define CMD_REGRESSION_VERIFY_PICTURES_H

#include "cmd/regression/verify/subject.h"

/* No frame has infinite or NaN samples. No frame is black or repeats the one before, judged by the
 * film's own: a film may begin in the dark and may slow down, but then its light and its motion
 * come and go gradually. A run of black frames is a fault where the frame next to it has more than
 * a quarter of the middle frame's light; a run of equal frames where the change next to it is more
 * than a quarter of the film's middle change; either is where all frames are so. One frame alone
 * cannot be frozen. Beside slow motion, equal frames of a film that codes few of them by themselves
 * are a warning: encoders skip what hardly moves. A film of eight frames or more that are all as
 * near to the first as copies of it that were encoded is frozen, unless its tags say that the
 * bodies rest.
 *
 * So that lettering hides no black frame, the light of a frame is what it has more than the darkest
 * that each pixel is in any frame, and black is less than a twentieth of the middle frame's. Where
 * captions come and go, or may, a frame that is black only in this sense is a warning.
 *
 * Concluded by verify_film, after frames have been drawn again. */
void verify_pictures(const struct subject *subject, struct stage_report *stage);

#endif
