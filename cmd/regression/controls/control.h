/* Controls: changes that a check must see and name. The self-test makes each of them to a short
 * film of the scene; a check that lets one pass cannot be trusted. A control changes what the film
 * is made of while it is made, and not the scene's text, so that the stage that suffers must be
 * named and not the scene.
 *
 * Entries are constant data. A run puts one control to work on one film; it is used by one thread
 * at a time, but the pictures may be changed on another than the scene. */
#ifndef CMD_REGRESSION_CONTROLS_CONTROL_H
#define CMD_REGRESSION_CONTROLS_CONTROL_H

#include "base/choice.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/regression/record/hooks.h"
#include "render/picture/picture.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct control_run;

struct control {
    const char *name, *doc;
    enum judged stage; /* the first that must differ */
    double size;       /* of the change; 0: it is made or not */
    const char *unit;  /* of size: "%", "pixels", "codes of 255"; NULL: none */
    bool searched;     /* smaller sizes make sense: the least that is seen can be looked for */

    /* NULL when it can be made of this scene; else why not, "has no keyframes". NULL: always. */
    const char *(*why_not)(const struct scene *scene);

    /* On a drawn picture, as display values. False: there was nothing to change in it. NULL: it
     * does not paint. */
    bool (*paint)(const struct control_run *run, struct canvas *canvas);
    /* Which picture of `frames` is given in the place of one. NULL: each its own. */
    uint64_t (*order)(const struct control_run *run, uint64_t frame, uint64_t frames);
    /* Where else it acts: called with the run as `user`, in whose `changed` they count what they
     * have done. What they put into a scene lives as long as the run. */
    struct record_hooks hooks;
};

/* The controls of the self-test. */
extern const struct control control_dt, control_body_missing, control_star_gone, control_star_added,
    control_exposure, control_shift, control_grey, control_dropped, control_crf;
extern const struct registry control_registry; /* of struct control */

/* NULL when it can be made of this scene; else why not. */
static inline const char *control_why_not(const struct control *control, const struct scene *scene)
{
    return control->why_not ? control->why_not(scene) : NULL;
}

struct control_run {
    const struct control *control;
    double size;                /* of the change, control->size unless another is tried */
    uint64_t first;             /* frame from which on pictures are changed */
    uint64_t frames;            /* of the film */
    uint64_t changed;           /* what has been changed so far; 0: the run proves nothing */
    const struct picture *reel; /* [frames], the honest pictures, for controls with an order */
    void **kept;                /* what lives as long as the run */
    size_t kept_count;
};

/* The usual size; pictures are changed from the second third of the film on. */
void control_run_open(struct control_run *run, const struct control *control, uint64_t frames);
void control_run_close(struct control_run *run); /* accepts a zeroed one */

/* Memory, all zero, that lives as long as the run. */
void *control_run_keep(struct control_run *run, size_t size);

/* Gives frame `from` in the place of a picture. */
void control_replace(struct control_run *run, struct picture *picture, uint64_t from);

/* What lets the control act on a film that is recorded, with the run as their user. */
struct record_hooks control_hooks(struct control_run *run);

#endif
