#include "cmd/regression/baseline/candidate.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/gallery.h"
#include "scenes/scene.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- the candidate ---- */

/* ---- the candidate ---- */

/* Removes the texts and lists borrowed from the candidate before it is freed. */
static enum status write_text(const struct candidate *candidate, struct baseline *out,
                              const struct record *record)
{
    struct record own = *record;
    own.section_count = 0;
    own.sections = NULL;
    out->record = own;
    out->source = candidate->baseline->source;
    enum status status = baseline_write(out);
    own = out->record;
    for (size_t s = 0; s < own.section_count; s++) {
        free(own.sections[s].name);
        free(own.sections[s].text);
    }
    free(own.sections);
    out->record = (struct record){0};
    out->source = (struct source){0};
    return status;
}

enum status candidate_write(const struct candidate *candidate)
{
    struct case_report *one = candidate->one;
    const struct renewed *renewed = candidate->renewed;
    struct baseline out;
    char *path = text_format("%s/%s.json", candidate->output, candidate->baseline->name);
    baseline_start(&out, path);
    enum status status = file_make_folder(candidate->output);
    if (status == STATUS_OK && file_same(path, candidate->baseline->path))
        status = status_fail(STATUS_USAGE,
                             "the report's folder '%s' is that of the baseline '%s', which a check "
                             "never writes; choose another one",
                             candidate->output, candidate->baseline->path);
    const struct capture *capture = renewed ? &renewed->capture : candidate->capture;
    struct run_params run = candidate->run;
    run.scene = renewed ? renewed->scene : candidate->scene;
    if (status == STATUS_OK)
        status = capture_store(capture, &out);
    if (status == STATUS_OK)
        status = capture_encode(capture, &run, "candidate", &out);
    if (status == STATUS_OK)
        status = write_text(candidate, &out, renewed ? &renewed->record : candidate->now);
    if (status == STATUS_OK) {
        one->candidate = memory_text(path);
        memcpy(one->candidate_hash, out.hash, HASH_TEXT);
    }
    baseline_free(&out);
    free(path);
    return status;
}

/* ---- the line ---- */

static void add(char **line, const char *option, char *value)
{
    char *safe = text_quoted(value);
    text_append(line, "", "%s%s", option, safe);
    free(safe);
    free(value);
}

static char *from_folder(const char *folder, const char *path)
{
    return strcmp(folder, ".") == 0 ? memory_text(path) : text_format("%s/%s", folder, path);
}

char *candidate_reproduce(const struct baseline *baseline, const char *folder,
                          const struct case_report *one)
{
    const struct source *source = &baseline->source;
    const int64_t frame = one->stage >= 0 ? one->stages[one->stage].first_frame : -1;
    char *line = memory_text("gravreel ");
    if (frame < 0 || one->stage < JUDGED_START || one->stage > JUDGED_PICTURE) {
        add(&line, "check ", memory_text(baseline->path));
        return line;
    }
    const bool builtin = choice_find(&builtin_registry, source->scene) != NULL;
    add(&line, "still ", builtin ? memory_text(source->scene) : from_folder(folder, source->scene));
    if (source->bodies_from)
        add(&line, " --bodies-from ", from_folder(folder, source->bodies_from));
    for (uint32_t i = 0; i < source->setting_count; i++)
        if (source->settings[i].key)
            add(&line, " --set ",
                text_format("%s=%s", source->settings[i].key, source->settings[i].value));
    add(&line, " --as-film --at ", text_format("frame %lld", (long long)frame));
    add(&line, " -o ", text_format("%s-%06lld.png", baseline->name, (long long)frame));
    return line;
}
