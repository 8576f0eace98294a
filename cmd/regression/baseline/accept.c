#include "cmd/regression/baseline/accept.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/judge/judge.h"
#include "scenes/scene.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the candidate ---- */

/* Writes the text with a record and an origin that belong to others. */
static enum status write_text(struct baseline *out, const struct record *record,
                              const struct origin *origin)
{
    out->record = *record;
    out->record.section_count = 0;
    out->record.sections = NULL;
    out->origin = *origin;
    const enum status status = baseline_write(out);
    record_set_section(&out->record, "baseline", NULL);
    free(out->record.sections);
    out->record = (struct record){0};
    out->origin = (struct origin){0};
    return status;
}

enum status candidate_write(const struct candidate *candidate, struct case_report *one)
{
    const struct baseline *baseline = candidate->baseline;
    const char *output = candidate->output;
    struct made *made = candidate->made;
    struct baseline out;
    char *path = text_format("%s/%s.json", output, baseline->name);
    baseline_start(&out, path);
    enum status status = file_make_folder(output);
    if (status == STATUS_OK && file_same(path, baseline->path))
        status = status_fail(STATUS_USAGE,
                             "the report's folder '%s' is that of the baseline '%s', which a check "
                             "never writes; choose another one",
                             output, baseline->path);
    if (status == STATUS_OK)
        status = kept_store(&made->kept, &out);
    if (status == STATUS_OK && out.picture_count > 0) {
        struct source source = candidate->source;
        struct made encoded = {0};
        source.baseline = &out;
        source.stored = &made->kept;
        status = source_pictures(&source, &encoded);
        if (status == STATUS_OK)
            status = baseline_put_record(&out, &encoded.record, out.encoding);
        made_free(&encoded);
    }
    if (status == STATUS_OK)
        status = write_text(&out, &made->record, &baseline->origin);
    if (status == STATUS_OK) {
        one->candidate = memory_text(path);
        memcpy(one->candidate_hash, out.hash, HASH_TEXT);
    }
    baseline_free(&out);
    free(path);
    return status;
}

/* ---- the line that shows the first difference ---- */

static void add_word(char **line, const char *option, char *value)
{
    char *safe = text_quoted(value);
    text_append(line, "", "%s%s", option, safe);
    free(safe);
    free(value);
}

/* Returns the path of a file that is named from a folder: "pl.yaml" for "../pl.yaml" in "ci",
 * unless the folder is a link that leads elsewhere. */
static char *from_folder(const char *folder, const char *path)
{
    char *whole = strcmp(folder, ".") == 0 ? memory_text(path) : text_format("%s/%s", folder, path);
    char *above = file_folder(folder);
    if (strncmp(path, "../", 3) == 0 && !text_ends_with(folder, ".") &&
        !text_ends_with(folder, "/")) {
        char *shorter = from_folder(above, path + 3);
        if (file_same(shorter, whole)) {
            free(whole);
            whole = shorter;
        } else {
            free(shorter);
        }
    }
    free(above);
    return whole;
}

/* Adds where and how the baseline was recorded. */
static void add_recording(char **line, const struct baseline *baseline, const char *folder)
{
    const char *format = baseline->record.output_format;
    char *name = file_stem(baseline->origin.scene);
    for (uint32_t i = 0; i < baseline->origin.setting_count; i++)
        if (baseline->origin.settings[i].append)
            add_word(line, " --codec-option ", memory_text(baseline->origin.settings[i].value));
    if (format && strcmp(format, "mp4") != 0)
        add_word(line, " --format ", memory_text(format));
    if (strcmp(name, baseline->name) != 0)
        add_word(line, " --name ", memory_text(baseline->name));
    free(name);
    add_word(line, " -o ", memory_text(folder));
    text_append(line, "", " -y --because \"...\"");
}

char *candidate_reproduce(const struct baseline *baseline, const char *folder,
                          const struct case_report *one)
{
    const struct origin *origin = &baseline->origin;
    const int64_t frame = one->stage >= 0 ? one->stages[one->stage].first_frame : -1;
    char *line = memory_text("gravreel ");
    const bool changed = one->stage == JUDGED_SCENE;
    if (!changed && (frame < 0 || one->stage < JUDGED_START || one->stage > JUDGED_PICTURE)) {
        add_word(&line, "check ", memory_text(baseline->path));
        return line;
    }
    const bool builtin = choice_find(&builtin_registry, origin->scene) != NULL;
    add_word(&line, changed ? "baseline " : "still ",
             builtin ? memory_text(origin->scene) : from_folder(folder, origin->scene));
    if (origin->bodies_from)
        add_word(&line, " --bodies-from ", from_folder(folder, origin->bodies_from));
    for (uint32_t i = 0; i < origin->setting_count; i++)
        if (origin->settings[i].key)
            add_word(&line, " --set ",
                     text_format("%s=%s", origin->settings[i].key, origin->settings[i].value));
    if (changed) {
        add_recording(&line, baseline, folder);
        return line;
    }
    add_word(&line, " --as-film --at ", text_format("frame %lld", (long long)frame));
    add_word(&line, " -o ", text_format("%s-%06lld.png", baseline->name, (long long)frame));
    return line;
}

/* ---- the distance from the first baseline ---- */

char *candidate_distance(const struct baseline *baseline, const struct limits *limits)
{
    struct record first;
    struct report aside = {0};
    struct case_report *one = report_add_case(&aside, "the first baseline");
    const uint32_t accepted = baseline->history_count ? baseline->history_count - 1 : 0;
    if (!*baseline->anchor) {
        report_free(&aside);
        return NULL;
    }
    const enum status status = baseline_get_record(baseline, baseline->anchor, &first);
    const struct comparison comparison = {
        .before = &first, .now = &baseline->record, .limits = limits};
    one->frames = baseline->record.count;
    if (status == STATUS_OK && judge_records(&comparison, one) == STATUS_OK)
        case_conclude(one);
    char *text = text_format("%u change%s accepted since the first baseline of %s%s%s", accepted,
                             accepted == 1 ? "" : "s", baseline->history[0].date,
                             status == STATUS_OK ? ": " : ", which is missing",
                             status == STATUS_OK && one->sentence ? one->sentence : "");
    record_free(&first);
    report_free(&aside);
    return text;
}

/* ---- who changes a baseline, and where ---- */

char *author_name(const char *given)
{
    const char *of_git = getenv("GIT_AUTHOR_NAME");
    if (given && *given)
        return memory_text(given);
    if (of_git && *of_git)
        return memory_text(of_git);
    const struct passwd *user = getpwuid(getuid());
    return memory_text(user ? user->pw_name : "unknown");
}

enum status author_allowed(bool in_ci, const char *what)
{
    const char *ci = getenv("CI");
    const bool set = ci && *ci && strcmp(ci, "0") != 0 && strcmp(ci, "false") != 0;
    if (!set || in_ci)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "%s is refused where CI is set, because baselines would then follow every "
                       "change; accept on a machine of your own, or add --in-ci",
                       what);
}

/* ---- stages ---- */

/* A changed start explains changed physics, and changed packets explain a changed size, so those
 * need not be named. Any other stage may hide a change of its own. */
static bool is_needed(const struct case_report *one, int s)
{
    const struct stage_report *stage = &one->stages[s];
    return !verdict_is_same(stage->verdict) && stage->verdict != VERDICT_NOT_COMPARED &&
           !(stage->follows && (s == JUDGED_PHYSICS || s == JUDGED_CONTAINER));
}

void accept_needed(const struct case_report *one, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int s = 0; s < JUDGED_COUNT; s++) {
        if (!is_needed(one, s) || used >= size)
            continue;
        const int wrote =
            snprintf(out + used, size - used, "%s%s", used ? "," : "", judged_name((enum judged)s));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

/* Reads the names of stages, "picture, packets", into a bit mask. */
static enum status read_stages(const char *text, unsigned *named)
{
    char *copy = memory_text(text), *rest = NULL;
    enum status status = STATUS_OK;
    *named = 0;
    for (char *word = strtok_r(copy, ", ", &rest); word && status == STATUS_OK;
         word = strtok_r(NULL, ", ", &rest)) {
        const struct choice *stage, *first = choice_at(&judged_registry, 0);
        status = choice_require(&judged_registry, word, &stage);
        if (status == STATUS_OK)
            *named |= 1u << (stage - first);
    }
    if (status == STATUS_OK && !*named)
        status = status_fail(STATUS_USAGE, "no stage is named; for example --stage picture");
    free(copy);
    return status;
}

enum status accept_check_stages(const char *stages)
{
    unsigned named;
    return read_stages(stages, &named);
}

/* ---- one case ---- */

struct item {
    const struct case_report *one;
    char *candidate_path;
    struct baseline before, candidate;
};

static void free_item(struct item *item)
{
    free(item->candidate_path);
    baseline_free(&item->before);
    baseline_free(&item->candidate);
}

static enum status check_stages(const struct case_report *one, unsigned named, const char *stages)
{
    for (int s = 0; s < JUDGED_COUNT; s++)
        if (is_needed(one, s) && !(named & 1u << s))
            return status_fail(STATUS_USAGE,
                               "%s: the stage %s also differs, and only %s is to be accepted; look "
                               "at it, then name it too",
                               one->name, judged_name((enum judged)s), stages);
    return STATUS_OK;
}

static char *find_candidate(const struct case_report *one, const char *folder)
{
    if (file_exists(one->candidate) || !folder)
        return memory_text(one->candidate);
    return text_format("%s/%s.json", folder, one->name);
}

/* Reads an object, checks by its hash that it is intact, and copies it to the folder `to`; NULL:
 * does not copy it. */
static enum status take_object(const struct baseline *from, const char *to, const char *object)
{
    void *data;
    size_t size;
    enum object_state state;
    char name[HASH_TEXT];
    if (!*object)
        return STATUS_OK;
    enum status status = object_get(from->folder, object, OBJECT_READ_MOST, &data, &size, &state);
    if (status == STATUS_OK && to)
        status = object_put(to, data, size, name);
    free(data);
    return status;
}

static enum status take_objects(const struct baseline *from, const char *to)
{
    enum status status = take_object(from, to, from->encoding);
    for (uint32_t i = 0; i < from->state_count && status == STATUS_OK; i++)
        status = take_object(from, to, from->states[i].object);
    for (uint32_t i = 0; i < from->picture_count && status == STATUS_OK; i++)
        status = take_object(from, to, from->pictures[i].object);
    return status;
}

static enum status open_item(struct item *item, const char *folder)
{
    const struct case_report *one = item->one;
    if (!one->baseline || !one->candidate)
        return status_fail(STATUS_USAGE,
                           "%s: the report has no result of it to accept; make the report with "
                           "`gravreel check --output FOLDER`",
                           one->name);
    enum status status = baseline_read(&item->before, one->baseline);
    if (status == STATUS_OK && strcmp(item->before.hash, one->baseline_hash) != 0)
        status =
            status_fail(STATUS_USAGE, "the baseline '%s' has changed since the report; check again",
                        one->baseline);
    item->candidate_path = find_candidate(one, folder);
    if (status == STATUS_OK)
        status = baseline_read(&item->candidate, item->candidate_path);
    if (status == STATUS_OK && strcmp(item->candidate.hash, one->candidate_hash) != 0)
        status = status_fail(STATUS_USAGE, "'%s' has changed since the report; check again",
                             item->candidate_path);
    return status == STATUS_OK ? take_objects(&item->candidate, NULL) : status;
}

/* ---- replacing ---- */

static bool names(void *user, const char *object)
{
    return baseline_names(user, object);
}

/* Combines the candidate's record and objects with the old history and origin. */
static void merge(struct item *item, struct baseline *next)
{
    struct baseline *before = &item->before, *candidate = &item->candidate;
    baseline_start(next, before->path);
    next->record = candidate->record;
    candidate->record = (struct record){0};
    next->origin = before->origin;
    before->origin = (struct origin){0};
    next->state_count = candidate->state_count;
    next->picture_count = candidate->picture_count;
    memcpy(next->states, candidate->states, sizeof next->states);
    memcpy(next->pictures, candidate->pictures, sizeof next->pictures);
    memcpy(next->encoding, candidate->encoding, sizeof next->encoding);
    for (uint32_t i = 0; i < before->history_count; i++)
        baseline_add_history(next, before->history[i].date, before->history[i].author,
                             before->history[i].because, before->history[i].stages);
}

static enum status replace(const struct acceptance *acceptance, struct item *item)
{
    struct baseline next = {0};
    char anchor[HASH_TEXT] = "", today[16], stages[128], *author = author_name(acceptance->author),
         *folder = memory_text(item->before.folder);
    enum status status = take_objects(&item->candidate, folder);
    if (status == STATUS_OK) {
        struct baseline anchored = {.folder = folder, .name = item->before.name};
        status = baseline_keep_anchor(&anchored, &item->before);
        memcpy(anchor, anchored.anchor, HASH_TEXT);
    }
    if (status == STATUS_OK) {
        merge(item, &next);
        memcpy(next.anchor, anchor, HASH_TEXT);
        clock_today(today);
        accept_needed(item->one, stages, sizeof stages);
        baseline_add_history(&next, today, author, acceptance->because, stages);
        status = baseline_write(&next);
    }
    if (status != STATUS_OK) /* no text names the objects that were put there */
        objects_sweep(folder, names, &item->before);
    baseline_free(&next);
    free(folder);
    free(author);
    return status;
}

/* ---- all ---- */

static bool is_meant(const struct acceptance *acceptance, const struct case_report *one)
{
    return !verdict_passes(one->verdict) &&
           (!acceptance->only || strcmp(acceptance->only, one->name) == 0);
}

static enum status check_acceptance(const struct acceptance *acceptance)
{
    if (*acceptance->because)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "no reason is given; add --because TEXT");
}

static enum status open_items(const struct acceptance *acceptance, const struct report *report,
                              const char *folder, struct item *items, uint32_t *count)
{
    unsigned named = ~0u;
    enum status status = acceptance->stages ? read_stages(acceptance->stages, &named) : STATUS_OK;
    for (uint32_t i = 0; i < report->case_count && status == STATUS_OK; i++) {
        struct item *item = &items[*count];
        if (!is_meant(acceptance, &report->cases[i]))
            continue;
        item->one = &report->cases[i];
        ++*count;
        status = open_item(item, folder);
        if (status == STATUS_OK)
            status = check_stages(item->one, named, acceptance->stages ? acceptance->stages : "");
    }
    if (status == STATUS_OK && *count == 0)
        status = status_fail(STATUS_USAGE, "the report has no failing case%s%s to accept",
                             acceptance->only ? " called " : "",
                             acceptance->only ? acceptance->only : "");
    return status;
}

enum status accept_report(const struct acceptance *acceptance, const struct report *report,
                          const char *folder)
{
    struct item *items = memory_new(report->case_count, sizeof *items);
    uint32_t count = 0;
    enum status status = author_allowed(acceptance->in_ci, "accepting");
    if (status == STATUS_OK)
        status = check_acceptance(acceptance);
    if (status == STATUS_OK)
        status = open_items(acceptance, report, folder, items, &count);
    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        char stages[128];
        accept_needed(items[i].one, stages, sizeof stages);
        status = replace(acceptance, &items[i]);
        if (status == STATUS_OK)
            log_info("%s: accepted (%s); it passes from now on", items[i].one->baseline, stages);
    }
    for (uint32_t i = 0; i < count; i++)
        free_item(&items[i]);
    free(items);
    return status;
}
