/* One control at work on one film. Used by one thread at a time, but the pictures may be changed on
 * another than the scene. */
#ifndef CMD_REGRESSION_CONTROLS_RUN_H
#define CMD_REGRESSION_CONTROLS_RUN_H

#include "cmd/regression/controls/control.h"
#include "cmd/regression/record/hooks.h"

struct control_run {
    const struct control *control;
    double size;                  /* of the change, control->size unless another is tried */
    uint64_t first;               /* frame from which on pictures are changed */
    uint64_t frames;              /* of the film */
    uint64_t changed;             /* pictures that were changed so far */
    double state[RENDERER_STATE]; /* of the renderer, at the frame before the first changed one */
    struct picture *reel; /* [frames], the honest pictures, for controls with an order; or NULL */
    void **kept;          /* what lives as long as the run */
    size_t kept_count;
};

/* The usual size; pictures are changed from the second third of the film on. */
void control_run_open(struct control_run *run, const struct control *control, uint64_t frames);
void control_run_close(struct control_run *run); /* accepts a zeroed one */

/* Memory, all zero, that lives as long as the run. */
void *control_run_keep(struct control_run *run, size_t size);

/* What lets the control act on a film that is recorded; valid while the run is where it is now. A
 * control with an order also needs the reel. */
struct record_hooks control_hooks(struct control_run *run);

/* What fills the reel while an honest film is recorded. */
struct record_hooks control_reel_hooks(struct control_run *run);

/* Whether it has changed anything: a run that has not proves nothing. */
bool control_has_acted(const struct control_run *run);

#endif
