/* A coarse run through a film before it is drawn: when its two first galaxies meet, and where its
 * bodies are. It leaves the film's own simulations alone; what carries those to a later frame
 * for a trial is the fast forward (cmd/film/forecast).
 *
 * It is of four kinds. A rough one, for what a picture has to hold, has 4,096 bodies at most; with
 * n of N left, softening and dt grow by (N / n)^(1/3), as the distance of neighbours does, and for
 * N above 65,536 no further. Bodies that were made for it stand for 65,536. One for
 * the first passage has 8,192 with the film's own softening and dt, and ends once it has seen it:
 * it finds that within a frame of the film's own (docs/physics.md has a table). One for the whole
 * story, which depends on what the first passage did to each galaxy, is the film's own simulation:
 * its bodies, up to 65,536, its steps and its forces. A glance, for what hardly depends on
 * when things happen, is a rough one of 1,024 bodies and few samples, a fraction of a second; it
 * ends before a film that is too long for that. Where steps are many, fewer bodies are taken, 512
 * at least.
 *
 * Forces are those of tree-exact, or of exact where bodies are few or a tree does not take them, so
 * that every machine finds the same numbers; only a story's are the film's, and it is the same on
 * every machine where the film is. The integrator, or the adaptive step, is the film's.
 *
 * Samples are taken at even simulated times, from 0 to the last frame of the film without slow
 * motion. Used by one thread at a time. */
#ifndef SIM_PILOT_PILOT_H
#define SIM_PILOT_PILOT_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"
#include "sim/pilot/encounter.h"
#include "sim/view.h"

enum pilot_seeks { PILOT_ROUGH, PILOT_PASSAGE, PILOT_STORY, PILOT_GLANCE };

/* As many bodies as a rough run takes. */
enum { PILOT_STAND_INS = 4096 };

struct pilot_params {
    const struct simulation_params *simulation;
    double duration; /* simulated time, >= 0 */
    uint64_t frames; /* that it is shown in: one sample per frame, but 200 to 2,000, or rough 400
                      * at most, fewer where each takes several steps */
    enum pilot_seeks seeks;
    bool stand_ins;      /* the bodies are PILOT_STAND_INS that were made for a rough run */
    const char *backend; /* as for simulation_open */
    int device;
    /* Is shown the bodies, fewer than the film's, and the view of them, at every sample; NULL:
     * nobody is. A failure ends the run. */
    enum status (*see)(void *user, const struct bodies *bodies, const struct view *view,
                       double time);
    void *user;
};

struct pilot {
    size_t count; /* of samples, >= 1; those of PILOT_PASSAGE end with it */
    double interval;
    /* [count], of the two first galaxies' cores (galaxy_core.h); NULL: there are fewer than two */
    double *separation;
    /* The sum of their core radii R: nearer, the halves of their light overlap; see encounter.h. */
    double touch;
    struct encounter happened; /* between them */
};

/* Says at info level that it runs, unless it is a glance. */
enum status pilot_run(struct pilot **out, const struct pilot_params *params,
                      const struct bodies *bodies);
void pilot_close(struct pilot **pilot); /* accepts a pointer to NULL */

#endif
