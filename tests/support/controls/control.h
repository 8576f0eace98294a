/* Controls: changes that a check must detect and name. A control changes what a film is made from
 * while it is made, but not the scene's text, so that the check must name the stage that is
 * affected and not the scene. For tests only.
 *
 * Entries are constant data. A run applies one control to one film; it is used by one thread at a
 * time, but pictures may be changed on another thread than the scene. */
#pragma once

#include "base/choice.h"
#include "cmd/regression/judge/rules.h"
#include "cmd/regression/record/recorder.h"
#include "render/picture/picture.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct control_run;

struct control {
    const char *name, *doc;
    enum judged stage; /* the first stage that must differ */
    double size;       /* size of the change; 0: the control has no size */
    const char *unit;  /* of size: "%", "pixels", "codes of 255"; NULL: none */
    bool searched;     /* smaller sizes make sense: search for the smallest detected */

    /* Returns NULL if the control can be made in this scene, else why not, "has no keyframes". The
     * pointer is NULL if it always can. */
    const char *(*why_not)(const struct scene *scene);

    /* Paints on a drawn picture, as display values; returns false if there was nothing to change.
     * NULL: the control does not paint. */
    bool (*paint)(const struct control_run *run, struct canvas *canvas);
    /* Returns which picture of `frames` replaces that of `frame`. NULL: the order is unchanged. */
    uint64_t (*order)(const struct control_run *run, uint64_t frame, uint64_t frames);
    /* Hooks by which the control acts elsewhere, called with the run as `user`; they count their
     * changes in `changed`. Memory that they put into a scene must live as long as the run. */
    struct record_hooks hooks;
};

/* Returns NULL if the control can be made in this scene, else why not. */
static inline const char *control_why_not(const struct control *control, const struct scene *scene)
{
    return control->why_not ? control->why_not(scene) : NULL;
}

struct control_run {
    const struct control *control;
    double size;                /* size of the change; control->size unless another is tried */
    uint64_t first;             /* first frame whose picture is changed */
    uint64_t frames;            /* of the film */
    uint64_t changed;           /* number of changes so far; 0: the run proves nothing */
    const struct picture *reel; /* [frames], the unchanged pictures, for controls with an order */
    void **kept;                /* memory that lives as long as the run */
    size_t kept_count;
};

/* Opens a run with the control's usual size; pictures are changed from the second third of the film
 * on. */
void control_run_open(struct control_run *run, const struct control *control, uint64_t frames);
void control_run_close(struct control_run *run); /* accepts a zeroed one */

/* Returns zeroed memory that lives as long as the run. */
void *control_run_keep(struct control_run *run, size_t size);

/* Replaces a picture by that of frame `from`. */
void control_replace(struct control_run *run, struct picture *picture, uint64_t from);

/* Returns the hooks that apply the control to a film being recorded; their user is the run. */
struct record_hooks control_hooks(struct control_run *run);
