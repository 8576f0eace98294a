/* All controls. Constant data and a pure function; thread-safe. */
#ifndef CMD_REGRESSION_CONTROLS_REGISTRY_H
#define CMD_REGRESSION_CONTROLS_REGISTRY_H

#include "cmd/regression/controls/control.h"

extern const struct registry control_registry; /* of struct control, by kind */

extern const struct registry control_kind_registry; /* struct choice, index = enum control_kind */

/* NULL when it can be made of this scene; else why not. */
const char *control_why_not(const struct control *control, const struct scene *scene);

#endif
