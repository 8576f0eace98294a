/* The kernels of bodies of gas, by which look.size kernel draws them. */
#pragma once

#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* Whether any body that is drawn has one. */
bool kernel_drawn(const struct bodies *bodies);

/* STATUS_USAGE where look.size, as it has been chosen for the film, is kernel and no body that is
 * drawn has one. */
enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies);
