/* Checkpoints: files from which a run continues bit for bit.
 *
 * A checkpoint is an HDF5 file (sim/hdf5/store.h) after a user block of 512 bytes (seal.h). One
 * file holds all simulations of a film at one frame:
 *
 *     user block    text, a line each: "gravreel checkpoint", "format 4", "xxh3-128 HASH",
 *                   "bytes SIZE"; then zeros
 *     /             attributes program and motion (a hash of all that decides how the bodies move,
 *                   the frames' times included): text, 64 bytes; frame, bodies, simulations: u64
 *     /simulation_1 and up
 *       step, turn                          attributes, u64
 *       time                                attribute, f64, as the simulation counts it
 *       mass                                [N]
 *       position, velocity, acceleration    [N, 3]; the latest acceleration
 *       integrator                          [bytes]: what the integrator keeps, a number per byte;
 *                                           empty where a frame begins
 *       energy                              [points, 3]: time, kinetic, potential; if recorded
 *       trail_time, trail                   [frames] and [frames * N, 8]: the rows of struct
 *                                           view_trail (sim/view.h); with look.trails
 *     /plan         [bytes], u8: the plan of the film (cmd/film/script/plan.h), a text; empty:
 *                   none
 *
 * Other tables are f64; all numbers are little-endian. Simulated time follows from the rest and is
 * only compared. The hash is XXH3 of the format's digits, a line feed and all bytes after the user
 * block. It is checked before HDF5 sees the file, because HDF5 trusts what it reads. The file is
 * made in memory and written through a temporary file, fsync, rename and fsync of the folder
 * (base/file.h); the same state gives the same bytes.
 *
 * A further value goes into struct simulation_state (sim/state.h) and simulation_get_state, is put
 * and read in checkpoint.c, and raises CHECKPOINT_FORMAT.
 *
 * Statuses: STATUS_IO if a file cannot be read or written, is damaged or truncated, or is not a
 * checkpoint at all (an earlier one may serve instead); STATUS_USAGE if it is intact but of
 * bodies that move otherwise, other bodies or another format (no other will serve). Both messages name the file.
 * Thread-safe, except that a simulation is used by one thread at a time. */
#pragma once

#include "sim/simulation.h"

enum { CHECKPOINT_FORMAT = 4 };

/* A copy of the state of simulations, to be written; the simulations may continue in the
 * meantime. */
struct checkpoint;

/* Copies the present state of `count` >= 1 simulations at the same frame: the result of
 * simulation_get_state, and the energy history if one is kept. The simulations are not changed. If
 * ranks share the bodies (simulation_state_is_shared), these are not copied: the simulation must
 * not continue before the checkpoint is stored.
 * STATUS_RUNTIME: out of memory, or their frames differ; *out is then NULL. */
enum status checkpoint_take(struct simulation *const *simulations, size_t count,
                            struct checkpoint **out);
void checkpoint_free(struct checkpoint **checkpoint); /* accepts a pointer to NULL */

/* `motion`: the hash. `plan`: the film's, as text; "": none. `shared`: several
 * machines may write this file at the same time. Temporarily needs memory for two more copies of a
 * state; bodies that ranks share go through rank 0 to the file in pieces, and the file is the same:
 * collective for these. */
enum status checkpoint_store(const struct checkpoint *checkpoint, const char *path,
                             const char *motion, const char *plan, bool shared);

/* Sets simulations to the checkpoint; they must be opened for the same motion and bodies in the same
 * order and with their clock set. Simulations that keep an energy history or a trail get the saved
 * one; a checkpoint without it, or with less of it, is one that lacks something (STATUS_IO).
 * Collective on ranks: rank 0 reads the file. After a failure another
 * checkpoint may be read: a single simulation is then unchanged unless its solver failed; of
 * several simulations, some may have changed. */
enum status checkpoint_read(const char *path, struct simulation *const *simulations, size_t count,
                            const char *motion);

/* STATUS_USAGE: it is of bodies that move otherwise. */
enum status checkpoint_check(const char *path, const char *motion);

/* The plan in the checkpoint, which the caller frees; "": none. */
enum status checkpoint_plan(const char *path, char **plan);
