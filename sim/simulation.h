/* A run: bodies, a solver and an integrator, advanced frame by frame.
 *
 * Frame f shows the state at time f * steps_per_frame * dt or, with slow motion, at the time that
 * the clock gives it (frame_clock.h), even if the steps within a frame are adaptive
 * (sim/integrators/integrator.h). Frame 0 is the start. Time is counted in steps or parts of a
 * frame and never accumulates rounding errors. Used by one thread at a time. */
#pragma once

#include "sim/bodies/spread.h"
#include "sim/diagnostics.h"
#include "sim/frame_clock.h"
#include "sim/params.h"
#include "sim/solver/solver.h"
#include "sim/state.h"
#include "sim/view.h"

#include <signal.h>

struct simulation;
struct playback; /* sim/playback/playback.h */
struct run;      /* sim/run/run.h */

/* Copies everything it needs, the bodies' columns included: bodies and params may be freed
 * afterwards, except params->played, whose snapshots then determine how the bodies move between the
 * first and the last snapshot (sim/playback), and params->run, whose frames then are the only ones;
 * the bodies must be those of the run, which has to have frame 0. */
enum status simulation_open(struct simulation **out, const struct simulation_params *params,
                            const char *backend, int device, const struct bodies *bodies);
void simulation_close(struct simulation **simulation);

/* Slow motion: from now on frames are at the times of this clock, whose dt and steps per frame must
 * be those of the params. Call it before the first advance and before setting a state. */
void simulation_set_clock(struct simulation *simulation, const struct frame_clock *clock);

/* Advances to the frame (>= the present one). If a position or velocity is no longer finite, the
 * status is STATUS_RUNTIME, and the message names a body, the step and a smaller dt (checked once
 * per frame). Returns STATUS_STOPPED soon after *stop (may be NULL) becomes nonzero. */
enum status simulation_advance(struct simulation *simulation, uint64_t frame,
                               volatile sig_atomic_t *stop);

/* Goes to any frame of params->run, also to an earlier one; observers do not see it. */
enum status simulation_show(struct simulation *simulation, uint64_t frame);

/* Sees every `every`-th frame (0: none) during simulation_advance, on its thread; may run
 * diagnostics. A failure ends the advance. There can be two observers; adding one with the same
 * `user` replaces the earlier one, and adding it without `see` removes it. */
struct simulation_observer {
    uint64_t every;
    enum status (*see)(void *user, struct simulation *simulation);
    void *user;
};
void simulation_observe(struct simulation *simulation, const struct simulation_observer *observer);

/* Makes the simulation keep the energies of a film of `frames` frames, for views: that of the
 * present frame if a point is due there, then one every few frames during simulation_advance. A
 * point costs one evaluation of the potential. Call it once, before filling views. */
enum status simulation_record_energy(struct simulation *simulation, uint64_t frames);
/* For saving; NULL if none is kept. Valid while the simulation is open. */
const struct energy_history *simulation_energy_history(const struct simulation *simulation);
/* After simulation_record_energy: continues from saved points. See energy_history_restore. */
enum status simulation_restore_energy(struct simulation *simulation,
                                      const struct energy_point *points, size_t count);

/* Gives later views on a device a sample (view.h), for cameras that follow bodies. */
void simulation_sample_views(struct simulation *simulation);

/* Fills `followed` of later fills of views with these bodies, which replace those of the last call.
 * Call it before creating views, too. `number` [count <= VIEW_FOLLOWED_MAX]: among all bodies, from
 * 0 on. */
void simulation_follow(struct simulation *simulation, const size_t *number, int count);

/* Gives later views the rows of these bodies (view.h), by their numbers among all bodies, on every
 * rank, without a copy of the other bodies. Copies. Call it before creating views. */
void simulation_watch(struct simulation *simulation, const uint64_t *numbers, size_t count);

/* A column to add to the columns that simulation_view_create adds itself: `name` is one of view.h's
 * or, if `of` is given, a column of the bodies. */
struct column_ask {
    const char *name; /* must outlive the simulation */
    const char *of;   /* NULL, or a column of the bodies: its values at the start or, with
                       * params->played, at the time of the view */
    float (*as)(const void *by, double number); /* converts a number for the view; pure, called from
                                                 * several threads; NULL: the number itself */
    const void *by;                             /* must outlive the simulation */
    bool optional; /* if the bodies have no such column, its numbers are NaN */
};

/* Gives later views these columns. `neighbour`: the k of COLUMN_DISTANCE among the drawn bodies;
 * distances are found anew for every view, with the same bits on every device (dispersions except
 * for the rounding of sums in double precision). If no body is drawn, there are no neighbour
 * columns. Call it once, before creating views. STATUS_USAGE: `neighbour` is needed and not from 1
 * to NEIGHBOURS_MOST, or a column does not exist. */
enum status simulation_ask_columns(struct simulation *simulation, const struct column_ask *asks,
                                   int count, unsigned neighbour);

/* Gives later views an order where simulation_orders_views is then true: the solver keeps them on a
 * device, and finds neighbours there. Call it once, after simulation_ask_columns and before
 * creating views. */
void simulation_order_views(struct simulation *simulation);
bool simulation_orders_views(const struct simulation *simulation);

/* Whether views have COLUMN_ABSENT: bodies of params->played come and go. */
bool simulation_has_absences(const struct simulation *simulation);

/* Makes the simulation keep all bodies of the last `frames` frames and of the present one, for
 * views created after that. Call it once, at frame 0. STATUS_USAGE: see trail_create. */
enum status simulation_keep_trail(struct simulation *simulation, uint64_t frames);
/* NULL if none is kept; of this rank's bodies, if ranks share them. After a state has been set, the
 * trail is empty and does not hold the present frame. */
const struct view_trail *simulation_trail(const struct simulation *simulation);
/* For saving, if one is kept: the trail of all bodies, also if ranks share them: it is small, see
 * TRAIL_MOST. The caller destroys it. simulation_new_trail: an empty one, with room for as much. */
enum status simulation_save_trail(struct simulation *simulation, struct view_trail **out);
enum status simulation_new_trail(const struct simulation *simulation, struct view_trail **out);
/* After simulation_keep_trail and simulation_set_state: continues from saved frames, the last of
 * them the present one. STATUS_USAGE, changing nothing: the frames are of other bodies, or too
 * many. */
enum status simulation_restore_trail(struct simulation *simulation, const struct view_trail *saved);

/* Writes the present state into a view made by simulation_view_create. */
enum status simulation_view_create(struct simulation *simulation, struct view **out);
enum status simulation_view_fill(struct simulation *simulation, struct view *view);
/* Copies a view's numbers, `count` of its position, velocity or columns, to host memory. */
enum status simulation_view_read(struct simulation *simulation, enum view_memory memory,
                                 const float *from, size_t count, float *to);
void simulation_view_destroy(struct simulation *simulation, struct view **view);

/* Whether the bodies are a share (sim/bodies/bodies_whole.h), so that all ranks make the same
 * calls: all functions that are not const are then collective. Each fills views of its own share.
 */
bool simulation_is_shared(const struct simulation *simulation);
/* Whether ranks share the bodies of its state, so that no rank can have all of it. */
bool simulation_state_is_shared(const struct simulation *simulation);

enum status simulation_diagnose(struct simulation *simulation, struct diagnostics *out);

/* radius[component]: see diagnostics_half_mass. */
enum status simulation_half_mass(struct simulation *simulation, double *radius);
enum status simulation_half_mass_all(struct simulation *simulation, double *radius);

/* The latest accelerations; at frame 0 those at the start. */
enum status simulation_accelerations(struct simulation *simulation, double (*out)[3]);

/* Whether a body has a number that is not finite, so that the same run would fail again. */
bool simulation_is_broken(struct simulation *simulation);

/* The present state, owned by the simulation: valid until its next call. Columns have the values of
 * the start. Of a share of the bodies: this share, in memory that simulation_bodies_end frees. */
enum status simulation_bodies(struct simulation *simulation, const struct bodies **out);
void simulation_bodies_end(struct simulation *simulation);
/* The bodies' columns, with the values of the start; valid while the simulation is open. */
const struct body_columns *simulation_columns(const struct simulation *simulation);

/* Passes a number or vector of all bodies to `take`, in the order of the bodies' numbers and in
 * pieces (sim/bodies/spread.h), also if ranks share the bodies. */
enum status simulation_pass(struct simulation *simulation, enum simulation_rows kind,
                            pieces_take take, void *user);

/* Copies the present state into bodies of the same count. */
enum status simulation_save(struct simulation *simulation, struct bodies *bodies);

/* How many bodies a state has, on all ranks: none if snapshots move them, since they follow from
 * the frame. */
size_t simulation_saved(const struct simulation *simulation);

/* Copies the state out, also in the middle of a frame that was stopped; this does not affect the
 * run. `state` must have room for that many bodies, or no arrays, if they are not
 * needed. */
enum status simulation_get_state(struct simulation *simulation, struct simulation_state *state);

/* Continues from a state that a simulation of the same parameters and bodies gave. STATUS_USAGE,
 * changing nothing, if it cannot be such a state: another number of bodies, other masses, a number
 * of steps that does not fit the frame, or a number that is not finite. */
enum status simulation_set_state(struct simulation *simulation,
                                 const struct simulation_state *state);

/* A copy of the bodies present now, which the caller destroys. With params->played: the bodies that
 * the snapshots on either side of the present time have, with their columns at that time. */
enum status simulation_present(struct simulation *simulation, struct bodies **out);

/* For the summary; valid while the simulation is open. */
const struct solver *simulation_solver(const struct simulation *simulation);
uint64_t simulation_device_memory(struct simulation *simulation); /* see solver_ops; 0: none */
/* Integrators with steps per body: the number of body steps begun on each rung since this
 * simulation was opened, [RUNGS], see sim/solver/solver.h. NULL: all bodies share each step. */
const uint64_t *simulation_rungs(const struct simulation *simulation);
double simulation_time(const struct simulation *simulation);
/* The playback that moves the bodies of params->played; NULL: the integrator moves them. */
const struct playback *simulation_playback(const struct simulation *simulation);
/* The run that params->run has given, and which of its simulations; NULL: none. */
const struct run *simulation_run(const struct simulation *simulation, int *number);
/* STATUS_USAGE: the run has no frame `last` yet, of a film from frame `first`. */
enum status simulation_check_run(const struct simulation *simulation, uint64_t first,
                                 uint64_t last);
uint64_t simulation_step(const struct simulation *simulation);  /* steps made so far */
uint64_t simulation_frame(const struct simulation *simulation); /* frames completed */
