/* What a scene leaves out about a file of bodies, proposed from the bodies; and warnings where
 * nothing will move or everything will fly apart. */
#ifndef CMD_FILM_START_PROPOSE_H
#define CMD_FILM_START_PROPOSE_H

#include "scenes/scene.h"
#include "sim/bodies/bodies.h"
#include "sim/motion.h"

/* Fills in those of simulation.softening, dt, steps_per_frame and output.frames that the scene
 * leaves out, so that its frames show five dynamical times, in 300 frames or, where bodies go round
 * more often than ten times in them, up to 600; and, if it says nothing about where the camera is,
 * camera.follow mass and camera.frame auto. *motion, which may be NULL, is what was found. false
 * where the bodies say nothing: then nothing is changed. */
bool propose(struct scene *scene, const struct bodies *bodies, struct motion *motion);

/* Whether the scene leaves out some of it, and its bodies are those of a file that can be read more
 * than once. */
bool propose_is_needed(const struct scene *scene);

/* Whether the film goes from the first of its snapshots to the last, because the scene says nothing
 * else. */
bool propose_fits(const struct scene *scene);

/* Reads the file for it, and says at info level what was found. */
enum status propose_for_file(struct scene *scene);

/* Warns, at most once: bodies that are not bound or hardly move, steps far too long, a film far too
 * short, bodies so few of a table that its softening and steps no longer suit them. */
void propose_warn(const struct scene *scene, const struct bodies *bodies);

/* Stars behind the bodies of a 360-degree film that says nothing of any: most of it would be black.
 */
void propose_sky(struct scene *scene);

#endif
