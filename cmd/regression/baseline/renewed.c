#include "cmd/regression/baseline/renewed.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/gallery.h"

#include <stdlib.h>

/* The hooks of two captures that see the same film. */
struct pair {
    struct record_hooks kept, beside;
};

static enum status see_simulations(void *user, struct simulation *const *simulations, int count)
{
    const struct pair *pair = user;
    return pair->kept.simulated(pair->kept.user, simulations, count);
}

static enum status see_renderer(void *user, struct renderer *renderer, struct view *view)
{
    const struct pair *pair = user;
    return pair->kept.drawing(pair->kept.user, renderer, view);
}

static enum status see_picture(void *user, struct picture *picture)
{
    const struct pair *pair = user;
    enum status status = pair->kept.encoding(pair->kept.user, picture);
    return status == STATUS_OK ? pair->beside.encoding(pair->beside.user, picture) : status;
}

enum status renewed_make(struct renewed *out, const struct run_params *run,
                         const struct baseline *baseline, const struct scene *scene,
                         const char *text, const char *commit)
{
    struct pair pair;
    const struct record_hooks hooks = {.user = &pair,
                                       .simulated = see_simulations,
                                       .drawing = see_renderer,
                                       .encoding = see_picture};
    struct run_params params = *run;
    char *folder = text_format("%s/new", run->folder);
    *out = (struct renewed){.scene = scene};
    params.scene = scene;
    params.folder = folder;
    params.diagnostics = true;
    params.expected = NULL;
    params.hooks = &hooks;
    capture_choose(&out->capture, scene->output.frames);
    capture_hook(&out->capture, &pair.kept);
    capture_like(&out->beside, baseline);
    out->beside.state_count = 0;
    capture_hook(&out->beside, &pair.beside);
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = run_film(&params, &out->record);
    free(folder);
    if (status != STATUS_OK)
        return status;
    free(out->record.scene);
    out->record.scene = memory_text(text);
    record_set_commit(&out->record, commit);
    out->made = true;
    return STATUS_OK;
}

void renewed_free(struct renewed *renewed)
{
    record_free(&renewed->record);
    capture_free(&renewed->capture);
    capture_free(&renewed->beside);
    *renewed = (struct renewed){0};
}

/* Removes marks and reasons that name limits: the change of the scene is intended, and they would
 * make it look like a fault. */
static void show_plainly(struct case_report *one)
{
    for (uint32_t i = 0; i < one->shown_count; i++) {
        struct shown_frame *shown = &one->shown[i];
        free(shown->marks);
        free(shown->why);
        shown->marks = NULL;
        shown->mark_count = 0;
        shown->why = memory_text("the scene has changed");
    }
}

enum status renewed_show(const struct renewed *renewed, const struct baseline *baseline,
                         const struct limits *limits, const char *folder, struct case_report *one)
{
    struct report aside = {0};
    struct case_report *shown = report_add_case(&aside, "the scene as it is now");
    char *below = text_format("%s/scene", folder);
    struct gallery gallery = {.baseline = baseline,
                              .now = &renewed->beside,
                              .limits = limits,
                              .one = shown,
                              .folder = below};
    shown->frames = one->frames;
    shown->fps = one->fps;
    enum status status = gallery_show(&gallery);
    show_plainly(shown);
    gallery_move_shown(shown, one);
    gallery_close(&gallery);
    report_free(&aside);
    free(below);
    return status;
}
