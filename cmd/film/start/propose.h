/* Proposes what a scene leaves out about a file of bodies, and warns if nothing will move or
 * everything will fly apart. */
#pragma once

#include "scenes/scene.h"
#include "sim/bodies/bodies.h"
#include "sim/motion.h"

/* Fills in those of simulation.softening, dt, steps_per_frame and output.frames that the scene
 * leaves out, so that the film shows five dynamical times in 300 frames, or up to 600 if bodies
 * complete more than ten orbits in them, or three periods of the outermost planet, if the bodies
 * are few and orbit one of them; and camera.follow mass and camera.frame auto, if the scene says
 * nothing about the camera's position. *motion, which may be NULL, receives the estimates. false if
 * the bodies give no estimate: then nothing is changed. */
bool propose(struct scene *scene, const struct bodies *bodies, struct motion *motion);

/* Whether the scene leaves out some of it, and its bodies come from a file that can be read
 * repeatedly. */
bool propose_is_needed(const struct scene *scene);

/* Whether the film spans its first to its last snapshot, because the scene says nothing else. */
bool propose_fits(const struct scene *scene);

/* Reads the file for it, and logs the result at info level. */
enum status propose_for_file(struct scene *scene);

/* Collective for shared bodies. Warns, at most once: bodies that are unbound or hardly move, steps
 * far too long, a film far too short, too few bodies of a table for its softening and steps. */
enum status propose_warn(const struct scene *scene, const struct bodies *bodies);

/* Adds stars behind the bodies of a film of the whole sphere or of a dome without any, because most
 * of it would be black. Numbers dome masters from 1, as planetariums do. */
void propose_around(struct scene *scene);

/* The units of a scene whose bodies come from a file. */

/* Fills in the units that the scene leaves out, from those of its file if these are known, so that
 * the printed scene states the units in use; logs them. Call it before the bodies are made. A pipe,
 * or a file that cannot be read yet, changes nothing. */
void film_take_units(struct scene *scene);

/* Warns of contradictory units: with G = 1, two of length, time, velocity and mass determine the
 * others. */
void film_check_units(const struct scene *scene);
