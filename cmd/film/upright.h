/* A scene made for a wide picture that is asked for in one higher than wide. */
#ifndef CMD_FILM_UPRIGHT_H
#define CMD_FILM_UPRIGHT_H

#include "scenes/scene.h"

/* Two generated galaxies that would be beside each other at the start, where there is no room,
 * come to be above each other: camera.azimuth is turned by 90 degrees. Nothing is done where
 * keyframes or panels say what is seen. `wide`: the size that the scene itself has; true, with a
 * message at info level, where the camera has been turned. */
bool upright_turn(struct scene *scene, struct picture_size wide);

#endif
