/* Checkpoints: files from which a run continues bit for bit.
 *
 * A checkpoint is an HDF5 file of double precision behind a user block that holds a checksum over
 * all of it, so that nothing of a damaged file is ever used; docs/architecture.md has the
 * format. One file holds all simulations of a film at one frame. Files are written through a
 * temporary one, fsync and rename (base/file.h).
 *
 * Statuses: STATUS_IO when a file cannot be read or written, is damaged or cut short, or is not
 * a checkpoint at all (an earlier one may serve instead); STATUS_USAGE when it is intact but
 * belongs to another scene, other bodies or another format (no other will serve). Either sentence
 * names the file. Thread-safe, except that a simulation is used by one thread at a time. */
#ifndef SIM_CHECKPOINT_CHECKPOINT_H
#define SIM_CHECKPOINT_CHECKPOINT_H

#include "sim/simulation.h"

enum { CHECKPOINT_FORMAT = 2 };

/* What is written: a state that was taken out of simulations, which may go on meanwhile. */
struct checkpoint;

/* The present state of `count` >= 1 simulations at the same frame: what simulation_get_state gives,
 * and the energy history where one is kept. The simulations continue as if nothing had happened.
 * STATUS_RUNTIME: no memory, or their frames differ. *out is NULL then. */
enum status checkpoint_take(struct simulation *const *simulations, size_t count,
                            struct checkpoint **out);
void checkpoint_free(struct checkpoint **checkpoint); /* accepts a pointer to NULL */

/* `scene`: the hash of the resolved scene. `shared`: several machines may write this file at the
 * same time. Needs memory for two more copies of a state meanwhile. */
enum status checkpoint_store(const struct checkpoint *checkpoint, const char *path,
                             const char *scene, bool shared);

/* Sets simulations, opened with the same scene and bodies in the same order and with their clock
 * set, to the checkpoint; those that keep an energy history get the saved one. After a failure
 * another checkpoint may be read; one simulation alone is as it was unless its solver failed, of
 * several some may have changed. */
enum status checkpoint_read(const char *path, struct simulation *const *simulations, size_t count,
                            const char *scene);

#endif
