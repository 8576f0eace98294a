/* Limits what redrawing can be made to do by a film's scene, which anybody may have written. */
#pragma once

#include "cmd/regression/verify/subject.h"

enum { TRUST_BODIES_MAX = 1 << 22 };

/* Returns STATUS_OK if the scene may be drawn: it matches the hash in its tag, asks for at most
 * TRUST_BODIES_MAX bodies, and reads no bodies file outside the film's folder and the folders in
 * $GRAVREEL_DATA, with their subfolders. Logs the bodies file. Otherwise returns STATUS_MISMATCH
 * with the reason. The subject must have a scene. */
enum status trust_scene(const struct subject *subject);
