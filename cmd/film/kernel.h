/* The kernels of bodies of gas, by which look.size kernel draws them. */
#ifndef CMD_FILM_KERNEL_H
#define CMD_FILM_KERNEL_H

#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* Whether any body that is drawn has one. */
bool kernel_drawn(const struct bodies *bodies);

/* Fills renderer_params.kernel, which the caller frees; NULL where look.size, as it has been chosen
 * for the film, is not kernel. STATUS_USAGE where it is and no body has one; STATUS_RUNTIME when
 * memory is short. */
enum status kernel_find(float **out, const struct scene *scene, const struct look_params *chosen,
                        const struct bodies *bodies);

#endif
