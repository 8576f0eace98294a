/* Adapts a scene with two galaxies to a picture of another shape: higher than wide instead of wide,
 * or the reverse. */
#pragma once

#include "scenes/scene.h"

/* Turns camera.azimuth by 90 degrees where two generated galaxies would otherwise start along the
 * picture's shorter side: above each other in a picture higher than wide, beside each other in a
 * wide one. A film that was turned upright turns back to the azimuth of its scene. Nothing is done
 * where keyframes or panels say what is seen, or the picture is square. `made_for`: the size that
 * the scene itself has; true, with a message at info level, where the camera has been turned. */
bool upright_turn(struct scene *scene, struct picture_size made_for);
