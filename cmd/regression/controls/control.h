/* Controls: changes that a check must see and name. Each is one const entry that changes what a
 * film is made of while it is made, and not the scene's text, so that the stage that suffers must
 * be named and not the scene. A check that lets one pass cannot be trusted.
 *
 * Constant data; a run (run.h) puts one to work on one film. */
#ifndef CMD_REGRESSION_CONTROLS_CONTROL_H
#define CMD_REGRESSION_CONTROLS_CONTROL_H

#include "base/choice.h"
#include "cmd/regression/judge/rules.h"
#include "render/picture/picture.h"
#include "render/renderer.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct canvas;
struct control_run;

/* What kind of mistake it stands for. */
enum control_kind { CONTROL_PHYSICS, CONTROL_PICTURE, CONTROL_TIME, CONTROL_ENCODING };

struct control {
    const char *name, *doc;
    enum control_kind kind;
    enum judged stage; /* the first that must differ */
    double size;       /* of the change; 0: it is made or not */
    const char *unit;  /* of size: "%", "pixels", "codes of 255"; NULL: none */
    bool searched;     /* smaller sizes make sense: the least that is seen can be looked for */

    /* NULL when it can be made of this scene; else why not, "has no keyframes". NULL: always. */
    const char *(*why_not)(const struct scene *scene);

    /* Where it acts; NULL: not there. */

    /* On the scene before the film is opened, as record_hooks.scene. What it puts there lives as
     * long as the run. */
    void (*scene)(struct control_run *run, struct scene *scene);
    /* On what the next picture is drawn from. */
    void (*draw)(struct control_run *run, struct renderer *renderer, struct view *view);
    /* On a drawn picture, as display values. False: there was nothing to change in it. */
    bool (*paint)(const struct control_run *run, struct canvas *canvas);
    /* On its samples, before they are known or, with `behind`, on their way into the encoder. */
    void (*planes)(const struct control_run *run, struct picture *picture);
    bool behind;
    /* Which picture of `frames` is given in the place of one. */
    uint64_t (*order)(const struct control_run *run, uint64_t frame, uint64_t frames);
    /* On how the film is encoded. */
    void (*sink)(struct control_run *run, struct sink_params *params);
    /* On the finished file. */
    enum status (*file)(const struct control_run *run, const char *path);
};

#endif
