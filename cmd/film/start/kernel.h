/* The kernels of bodies of gas, by which look.size kernel draws them. */
#pragma once

#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* Both are collective for shared bodies (sim/bodies/whole.h).
 *
 * Whether any drawn body has a kernel. */
enum status kernel_drawn(const struct bodies *bodies, bool *out);

/* STATUS_USAGE if look.size, as chosen for the film, is kernel and no drawn body has one. */
enum status kernel_check(const struct scene *scene, const struct look_params *chosen,
                         const struct bodies *bodies);
