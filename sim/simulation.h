/* A run: bodies, a solver and an integrator, advanced frame by frame.
 *
 * Frame f shows the state at time f * steps_per_frame * dt, or at the time that a clock with slow
 * motion gives it (frame_clock.h), also when the steps in between are adaptive (see adaptive.h and
 * blocks.h); frame 0 is the start. Time is counted in steps or parts of a frame and never
 * accumulates rounding. Used by one thread at a time. */
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include "sim/diagnostics.h"
#include "sim/energy_history.h"
#include "sim/frame_clock.h"
#include "sim/params.h"
#include "sim/solver/solver.h"
#include "sim/state.h"
#include "sim/view.h"

#include <signal.h>

struct simulation;
struct playback; /* sim/playback/playback.h */

/* Takes a copy of what it needs, the bodies' columns too: bodies and params may go afterwards,
 * except params->played, whose snapshots then say how the bodies move, between the first and the
 * last of them (sim/playback). */
enum status simulation_open(struct simulation **out, const struct simulation_params *params,
                            const char *backend, int device, const struct bodies *bodies);
void simulation_close(struct simulation **simulation);

/* Slow motion: from now on frames are at the times of this clock, whose dt and steps per frame are
 * those of the params. To be called before the first advance and before a state is set. */
void simulation_set_clock(struct simulation *simulation, const struct frame_clock *clock);

/* Advances to the frame (>= the present one). A position or velocity that is no longer finite is
 * STATUS_RUNTIME naming a body, the step and a smaller dt (checked once per frame). Returns
 * STATUS_STOPPED soon after *stop (may be NULL) becomes nonzero. */
enum status simulation_advance(struct simulation *simulation, uint64_t frame,
                               volatile sig_atomic_t *stop);

/* Sees every `every`-th frame (0: none) during simulation_advance, on its thread; may diagnose. A
 * failure ends the advance. Two at a time; one of the same `user` replaces that one, and without
 * `see` removes it. */
struct simulation_observer {
    uint64_t every;
    enum status (*see)(void *user, struct simulation *simulation);
    void *user;
};
void simulation_observe(struct simulation *simulation, const struct simulation_observer *observer);

/* From now on keeps the energies of a film of `frames` frames, for views: that of the present frame
 * if a point belongs there, then one every few frames during simulation_advance. A point costs one
 * evaluation of the potential. To be called once, before views are filled. */
enum status simulation_record_energy(struct simulation *simulation, uint64_t frames);
/* For saving; NULL when none is kept. Valid while the simulation is open. */
const struct energy_history *simulation_energy_history(const struct simulation *simulation);
/* After simulation_record_energy: continues from saved points. See energy_history_restore. */
enum status simulation_restore_energy(struct simulation *simulation,
                                      const struct energy_point *points, size_t count);

/* From now on views on a device are created with room for a sample (view.h) and filled with it, for
 * cameras that follow bodies. */
void simulation_sample_views(struct simulation *simulation);

/* A column of views, beside those that simulation_view_create adds itself: `name` one of view.h's,
 * or, where `of` is given, a column of the bodies. */
struct column_ask {
    const char *name; /* outlives the simulation */
    const char *of;   /* NULL, or a column of the bodies: as it is at the start, or, of
                         params->played, at the time of the view */
    float (*as)(const void *by, double number); /* what the view has in its place; pure, for several
                                                   threads; NULL: the number itself */
    const void *by;                             /* outlives the simulation */
    bool optional; /* where the bodies have no such column, NaN is in the place of its numbers */
};

/* From now on views are created with these columns, and filled with them. `neighbour`: the k of
 * COLUMN_DISTANCE among the drawn bodies, found anew for every view, the same bits on every device
 * (dispersions but for the rounding of sums in double precision); where no body is drawn, there are
 * no columns of neighbours. To be called once, before views are created. STATUS_USAGE: `neighbour`
 * is needed and not from 1 to NEIGHBOURS_MOST, or there is no such column. */
enum status simulation_ask_columns(struct simulation *simulation, const struct column_ask *asks,
                                   int count, unsigned neighbour);

/* Whether views have COLUMN_ABSENT: bodies of params->played come and go. */
bool simulation_has_absences(const struct simulation *simulation);

/* From now on keeps all bodies of the last `frames` frames and of the present one, for views
 * created after that. To be called once, at frame 0. STATUS_USAGE: see trail_create. */
enum status simulation_keep_trail(struct simulation *simulation, uint64_t frames);
/* For saving; NULL when none is kept. It is not of the present frame, but empty, after a state
 * has been set. */
const struct view_trail *simulation_trail(const struct simulation *simulation);
/* After simulation_keep_trail and simulation_set_state: continues from saved frames, the last of
 * them the present one. STATUS_USAGE, leaving all as it is: of other bodies, or too many. */
enum status simulation_restore_trail(struct simulation *simulation, const struct view_trail *saved);

/* Writes the present state into a view made by simulation_view_create. */
enum status simulation_view_create(struct simulation *simulation, struct view **out);
enum status simulation_view_fill(struct simulation *simulation, struct view *view);
/* Copies a view's numbers, `count` of its position, velocity or columns, to host memory. */
enum status simulation_view_read(struct simulation *simulation, enum view_memory memory,
                                 const float *from, size_t count, float *to);
void simulation_view_destroy(struct simulation *simulation, struct view **view);

enum status simulation_diagnose(struct simulation *simulation, struct diagnostics *out);

/* radius[component]: see diagnostics_half_mass. */
enum status simulation_half_mass(struct simulation *simulation, double *radius);

/* The latest forces per unit of mass; at frame 0 those at the start. */
enum status simulation_accelerations(struct simulation *simulation, double (*out)[3]);

/* Whether a body has left the finite numbers, so that the same run would fail again. */
bool simulation_is_broken(struct simulation *simulation);

/* The present state, which is the simulation's: valid until its next call. Columns are as they were
 * at the start. */
enum status simulation_bodies(struct simulation *simulation, const struct bodies **out);

/* Copies the present state into bodies of the same count. */
enum status simulation_save(struct simulation *simulation, struct bodies *bodies);

/* Copies the state out, also in the middle of a frame that was stopped; the run continues as if
 * nothing had been copied. `state` has room for the simulation's bodies. */
enum status simulation_get_state(struct simulation *simulation, struct simulation_state *state);

/* Continues from a state that a simulation of the same parameters and bodies gave. STATUS_USAGE,
 * leaving all as it is, when it cannot be such a state: another number of bodies, other masses, a
 * count of steps that does not belong to the frame, a number that is not finite. */
enum status simulation_set_state(struct simulation *simulation,
                                 const struct simulation_state *state);

/* A copy of the bodies that are there now, for the caller to destroy: of params->played, those that
 * the snapshots on either side of the present time have, with their columns at that time. */
enum status simulation_present(struct simulation *simulation, struct bodies **out);

/* For the summary; valid while the simulation is open. */
const struct solver *simulation_solver(const struct simulation *simulation);
uint64_t simulation_device_memory(struct simulation *simulation); /* see solver_ops; 0: none */
/* With steps per body: how many steps of bodies began on each rung since this simulation was
 * opened, [RUNGS], see rungs.h; NULL: all bodies share each step. */
const uint64_t *simulation_rungs(const struct simulation *simulation);
double simulation_time(const struct simulation *simulation);
/* What moves the bodies of params->played; NULL: the integrator. */
const struct playback *simulation_playback(const struct simulation *simulation);
uint64_t simulation_step(const struct simulation *simulation);  /* steps made so far */
uint64_t simulation_frame(const struct simulation *simulation); /* frames completed */

#endif
