/* The pilot run: a coarse simulation of a film before it is drawn, which finds when its first two
 * galaxies meet, and where its bodies are. The film's own simulations are not used. (For a trial,
 * the fast forward in cmd/film/forecast advances those to a later frame.)
 *
 * There are four kinds.
 * - Rough, for the extent of the picture: at most 4,096 bodies. With n of N bodies left, softening
 *   and dt grow by (N / n)^(1/3), like the distance of neighbours, but no further for N above
 *   16,384, which bodies made for it represent. dt is another 3 times as long, which moves the
 *   extent by less than another seed does.
 * - First passage: 8,192 bodies with the film's own softening and dt. It ends once it has seen the
 *   passage, which it finds to within a frame (docs/physics.md has a table).
 * - Whole story, which depends on what the first passage did to each galaxy: the film's own
 *   simulation with its steps and forces, and up to 65,536 of its bodies.
 * - Short, for values that hardly depend on the times of events: a rough run with 1,024 bodies and
 *   few samples, and without the longer dt, which takes a fraction of a second; it ends early if
 *   the film is too long.
 *
 * With many steps, fewer bodies are used, but at least 512.
 *
 * Forces are those of tree-exact, or of exact for few bodies or ones that a tree does not support,
 * so that every machine finds the same numbers. Only a story uses the film's forces, so it is as
 * reproducible as the film. The integrator, or the adaptive step, is the film's.
 *
 * Samples are taken at even simulated times, from 0 to the last frame of the film without slow
 * motion. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "sim/params.h"
#include "sim/view.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct bodies;
struct run;        /* sim/run/run.h */
struct run_pilots; /* the same */

/* Finds the events between two galaxies from the track of their separation.
 *
 * A pericentre is a minimum between two higher places of the track, an apocentre a maximum between
 * two lower ones. Fluctuations smaller than a tenth of the separation plus `noise` are ignored, and
 * so are the track's ends. The moment is refined by the parabola through the squared separations of
 * the sample and its neighbours, because the square is smooth even where two centres pass through
 * each other.
 *
 * The galaxies have merged at the moment after which the separation stays below `touch` to the end
 * of the track, provided that it has reversed at least once below `touch`: galaxies that are still
 * falling together when the film ends have not merged yet, whereas a pair that has reversed below
 * `touch` never separates again, because of friction. `touch` is a length below which a viewer sees
 * one galaxy.
 *
 * Pure; thread-safe. */

enum { ENCOUNTER_MAX = 32 };

struct encounter_moment {
    double time, separation;
};

struct encounter {
    size_t pericentre_count, apocentre_count; /* more than ENCOUNTER_MAX are not kept */
    struct encounter_moment pericentre[ENCOUNTER_MAX], apocentre[ENCOUNTER_MAX];
    bool merges;
    struct encounter_moment merger;
};

/* separation[k] is at time k * interval, k < count. */
void encounter_find(size_t count, const double *separation, double interval, double noise,
                    double touch, struct encounter *out);

enum pilot_seeks { PILOT_ROUGH, PILOT_PASSAGE, PILOT_STORY, PILOT_SHORT };

/* The largest number of bodies of a rough run. */
enum { PILOT_STAND_INS = 4096 };

/* Makes `count` bodies that stand in for a film's, so that decisions do not depend on how many
 * bodies the film or a rank has. *out is NULL for models that do not make galaxies, whose own
 * bodies are used. */
enum status stand_ins_make(const struct bodies_params *params, size_t count, struct bodies **out);
void stand_ins_free(struct bodies **out); /* accepts a pointer to NULL */

struct pilot_params {
    const struct simulation_params *simulation;
    double duration; /* simulated time, >= 0 */
    uint64_t frames; /* its number of frames: one sample per frame, but 200 to 2,000, or if rough at
                      * most 400, and fewer than 200 where these would shorten its steps */
    enum pilot_seeks seeks;
    bool stand_ins;      /* the bodies are PILOT_STAND_INS made for a rough run */
    const char *backend; /* as for simulation_open */
    int device;
    const struct run *run; /* NULL, or may have seen the same: it is then shown again */
    struct run_pilots
        *keep; /* the same; what is seen is appended, if there is room; NULL: nowhere */
    /* Called at every sample with the reduced bodies and their view, in their order, one at a time,
     * on a thread beside the simulation's, or for snapshots on the caller's; may be NULL.
     * A failure ends the run. */
    enum status (*see)(void *user, const struct bodies *bodies, const struct view *view,
                       double time);
    void *user;
};

struct pilot {
    size_t count; /* number of samples, >= 1; those of PILOT_PASSAGE end with the passage */
    double interval;
    /* [count] distance of the first two galaxies' cores (galaxy_core.h); NULL: fewer than two */
    double *separation;
    /* The sum of their core radii R: at smaller separations half of their light overlaps; see
     * struct encounter. */
    double touch;
    struct encounter happened; /* events between them */
};

/* Finds the events of the first two galaxies in a complete run: what a story finds, from the motion
 * itself. The times in *out are frames, with fractions. *found: there are two galaxies, and
 * they move. Thread-safe. STATUS_STOPPED soon after *stop becomes nonzero. */
enum status pilot_encounter(const struct run *run, const volatile sig_atomic_t *stop, bool *found,
                            struct encounter *out);

/* Logs at info level that it runs, unless it seeks PILOT_SHORT. In a task of all ranks, collective:
 * rank 0 simulates and looks, as one process would, and all get the result; snapshots are read, and
 * looked at, by all. */
enum status pilot_run(struct pilot **out, const struct pilot_params *params,
                      const struct bodies *bodies);
void pilot_close(struct pilot **pilot); /* accepts a pointer to NULL */

/* Reduces bodies to fewer that move as all of them would. */

/* About `size` of the bodies, fewer than there are. Components get shares by mass, not by number,
 * because the haloes determine the orbits, and a halo often has few bodies. Those of a named galaxy
 * come in pairs mirrored, in position and velocity, at the galaxy's mean: a few heavy bodies on one
 * side would push its core onto another orbit. Masses of components and means of galaxies are kept.
 * Collective for shared bodies (sim/bodies/bodies_whole.h); every rank gets the same bodies as one
 * process.
 */
enum status pilot_thin(struct bodies **out, const struct bodies *bodies, size_t size);
