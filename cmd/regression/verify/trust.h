/* What a film's scene, which anybody may have written, can make a redrawing do. */
#ifndef CMD_REGRESSION_VERIFY_TRUST_H
#define CMD_REGRESSION_VERIFY_TRUST_H

#include "cmd/regression/verify/subject.h"

enum { TRUST_BODIES_MAX = 1 << 22 };

/* The scene may be drawn again: it is the one that its tag's hash is of, asks for no more than
 * TRUST_BODIES_MAX bodies, and reads no bodies file but one in the film's folder or a folder of
 * $GRAVREEL_DATA, or below; which one is logged. STATUS_MISMATCH with the reason else. For a
 * subject that has a scene. */
enum status trust_scene(const struct subject *subject);

#endif
