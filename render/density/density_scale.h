/* How many bodies are seen in one place, counted by the processor as density_map.h counts them on
 * the GPU: so that a film's scales and its legend are known before the first frame. Needs no GL. */
#ifndef RENDER_DENSITY_DENSITY_SCALE_H
#define RENDER_DENSITY_DENSITY_SCALE_H

#include "render/renderer.h"

/* In the cell of the mode activity that has most, and around the place where most are as the colour
 * density counts them, in one of the pictures (look.panels, or the only one; of a stereo pair as
 * both eyes' middle sees them) of a view in host memory. Both 1 at least. */
enum status density_scale_measure(const struct renderer_params *params, int picture,
                                  const struct view *view, double *fullest, double *densest);

#endif
