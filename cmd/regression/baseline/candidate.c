#include "cmd/regression/baseline/candidate.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "scenes/builtin.h"

#include <stdlib.h>
#include <string.h>

/* ---- the candidate ---- */

static enum status encode(const struct candidate *candidate, const struct scene *scene,
                          const struct capture *capture, struct baseline *out)
{
    struct picture *pictures[BASELINE_PICTURES_MAX];
    struct run_params run = candidate->run;
    struct record encoded = {0};
    if (out->picture_count == 0)
        return STATUS_OK;
    for (uint32_t i = 0; i < out->picture_count; i++)
        pictures[i] = (struct picture *)capture_picture(capture, out->pictures[i].frame);
    char *folder = text_format("%s/candidate", run.folder);
    run.folder = folder;
    run.scene = scene;
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = run_pictures(&run, pictures, out->picture_count, &encoded);
    if (status == STATUS_OK)
        status = baseline_put_record(out, &encoded, out->encoding);
    record_free(&encoded);
    free(folder);
    return status;
}

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
    if (status == STATUS_OK)
        status = capture_store(capture, &out);
    if (status == STATUS_OK)
        status = encode(candidate, renewed ? renewed->scene : candidate->scene, capture, &out);
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
