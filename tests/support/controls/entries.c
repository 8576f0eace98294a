#include "tests/support/controls/control.h"

#include "render/draw.h"
#include "render/video/codecs.h"
#include "sim/bodies/bodies.h"

/* ---- the simulation ---- */

static void longer_steps(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->simulation.dt *= 1 + run->size / 100;
    run->changed++;
}

const struct control control_dt = {
    .name = "dt",
    .doc = "steps are longer by a thousandth",
    .stage = JUDGED_PHYSICS,
    .size = 0.1,
    .unit = "%",
    .searched = true,
    .hooks.scene = longer_steps,
};

/* A model that makes the bodies of another model except for the last. */
struct short_model {
    struct bodies_model model;
    const struct bodies_model *of;
    struct control_run *run;
};

static enum status make_without_last(const struct bodies_params *params, struct bodies **out)
{
    const struct short_model *shortened = (const struct short_model *)params->model;
    enum status status = shortened->of->make(params, out);
    if (status != STATUS_OK || (*out)->count < 2)
        return status;
    struct bodies *bodies = *out;
    size_t last = bodies->component_count - 1;
    while (last > 0 && bodies->components[last].count == 0)
        last--;
    bodies->components[last].count--;
    bodies->count--;
    shortened->run->changed++;
    return STATUS_OK;
}

static void without_last(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct short_model *shortened = control_run_keep(run, sizeof *shortened);
    *shortened = (struct short_model){*scene->bodies.model, scene->bodies.model, run};
    shortened->model.make = make_without_last;
    scene->bodies.model = &shortened->model;
}

static const char *thinned(const struct scene *scene)
{
    return scene->bodies.model->reads_file && scene->bodies.count > 0
               ? "it takes some of a file's bodies"
               : NULL;
}

const struct control control_body_missing = {
    .name = "body_missing",
    .doc = "the last body is missing",
    .stage = JUDGED_START,
    .why_not = thinned,
    .hooks.scene = without_last,
};

/* ---- the picture ---- */

/* The factors are the first numbers in the panels' states; see renderer_state. */
static enum status expose(void *user, struct renderer *renderer, struct view *view)
{
    struct control_run *run = user;
    double state[RENDERER_STATE];
    if (view->frame != run->first)
        return STATUS_OK;
    renderer_state(renderer, state);
    for (int i = 0; i < RENDERER_STATE; i += RENDERER_STATE / PANELS_MAX)
        state[i] *= 1 + run->size / 100;
    renderer_resume(renderer, state);
    run->changed++;
    return STATUS_OK;
}

const struct control control_exposure = {
    .name = "exposure",
    .doc = "light is exposed by a hundredth more",
    .stage = JUDGED_PICTURE,
    .size = 1,
    .unit = "%",
    .searched = true,
    .hooks.drawing = expose,
};

/* Drops a frame but keeps the number of frames: the last frame is shown twice. */
static uint64_t without_one(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    return frame >= run->first && frame + 1 < frames ? frame + 1 : frame;
}

static const char *too_short(const struct scene *scene)
{
    return scene->output.frames >= 6 ? NULL : "it has fewer than 6 frames";
}

const struct control control_dropped = {
    .name = "dropped",
    .doc = "a frame is missing, and the following ones are early",
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = without_one,
};

/* ---- the encoder ---- */

static void next_crf(void *user, struct sink_params *params)
{
    struct control_run *run = user;
    const struct codec *codec =
        params->output.codec ? params->output.codec : choice_at(&codec_registry, 0);
    params->output.crf = (params->output.crf >= 0 ? params->output.crf : codec->crf) + run->size;
    run->changed++;
}

static const char *no_quality(const struct scene *scene)
{
    const struct codec *codec = scene->output.codec;
    return !codec || codec->crf >= 0 ? NULL : "its codec has no quality to set";
}

const struct control control_crf = {
    .name = "crf",
    .doc = "the encoder's quality is one step lower",
    .stage = JUDGED_PACKETS,
    .size = 1,
    .unit = "crf",
    .searched = true,
    .why_not = no_quality,
    .hooks.sink = next_crf,
};
