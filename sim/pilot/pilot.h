/* A coarse run through a film before it is drawn: when its two first galaxies meet, and how far out
 * its bodies reach. It leaves the film's own simulations alone; what carries those to a later frame
 * for a trial is the fast forward (cmd/forecast).
 *
 * The bodies are thinned to 2,048, or to 16,384 where the run is to be detailed, and move under
 * the force exact, so that every machine finds the same numbers. With n of N bodies left,
 * softening and dt grow by (N / n)^(1/3), as the distance of neighbours does: what a step resolves
 * stays the same. The integrator, or the adaptive step, is the film's. Where steps are many, fewer
 * bodies are taken, 512 at least, so that a run stays within 10^10 pairs (a second or two on two
 * cores), or 2 * 10^11 if detailed.
 *
 * How far to trust it: two galaxies come together as their masses and orbit say, and 2,048 bodies
 * find their first pericentre within a frame or two. How soon they come back depends on what the
 * first passage did to each, and differs from one choice of bodies to the next by a tenth of the
 * time and more, so that only the film's own bodies tell; a detailed run has them up to 16,384.
 *
 * Samples are taken at even simulated times, from 0 to the last frame of the film without slow
 * motion. Used by one thread at a time. */
#ifndef SIM_PILOT_PILOT_H
#define SIM_PILOT_PILOT_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"
#include "sim/pilot/encounter.h"
#include "sim/view.h"

struct pilot_params {
    const struct simulation_params *simulation;
    double duration;     /* simulated time, >= 0 */
    uint64_t frames;     /* that it is shown in: one sample per frame, but 200 to 2,000 */
    double fraction;     /* of the drawn mass, for `radius`; 0: no radius */
    bool detailed;       /* for more than the first passage */
    const char *backend; /* as for simulation_open */
    int device;
    /* The point that the radius is about, in this view of these bodies, fewer than the film's;
     * NULL: the origin. A failure ends the run. */
    enum status (*point)(void *user, const struct bodies *bodies, const struct view *view,
                         double point[3]);
    void *user;
};

struct pilot {
    size_t count; /* of samples, >= 1 */
    double interval;
    /* [count], of the two first galaxies' cores (galaxy_core.h); NULL: there are fewer than two */
    double *separation;
    /* The sum of their core radii R: nearer, the halves of their light overlap; see encounter.h. */
    double touch;
    struct encounter happened; /* between them */
    double *radius; /* [count]: of the sphere that holds `fraction`; NULL: fraction is 0 */
};

/* Says at info level that it runs. */
enum status pilot_run(struct pilot **out, const struct pilot_params *params,
                      const struct bodies *bodies);
void pilot_close(struct pilot **pilot); /* accepts a pointer to NULL */

#endif
