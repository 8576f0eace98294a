#include "cmd/regression/report/report_json.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/memory.h"
#include "cmd/regression/report/phrases.h"

#include <stdlib.h>

/* Far more than any report has. They bound the memory used to a few times the size of the file. */
enum { FILE_MAX = 1 << 27, CASES_MAX = 1 << 12, ENTRIES_MAX = 1 << 16, FRAMES_MAX = 1 << 22 };

/* ---- words ---- */

static const struct choice marks[] = {
    [MARK_MISSING_STAR] = {"missing star", NULL},
    [MARK_ADDED_STAR] = {"added star", NULL},
    [MARK_TILE] = {"tile", NULL},
    [MARK_PIXEL] = {"pixel", NULL},
};
static const struct registry mark_words = REGISTRY_OF("kind of mark", marks);

static const struct choice steps[] = {
    [STEP_PAIR] = {"pair", NULL},       [STEP_DROPPED] = {"dropped", NULL},
    [STEP_ADDED] = {"added", NULL},     [STEP_REPEATED] = {"repeated", NULL},
    [STEP_SWAPPED] = {"swapped", NULL},
};
static const struct registry step_words = REGISTRY_OF("kind of step", steps);

/* ---- ids, names and units, which follow from the rest ---- */

/* The id of the present case; the ids of its findings begin with it. */
struct ids {
    const struct report *report;
    size_t of;
    char *id; /* NULL: none yet */
};

static const char *id_of(const struct json_place *one)
{
    struct ids *ids = one->user;
    if (!ids->id || ids->of != one->index) {
        free(ids->id);
        ids->id = names_case(ids->report, (uint32_t)one->index);
        ids->of = one->index;
    }
    return ids->id;
}

static char *case_id(const struct json_place *one)
{
    return memory_text(id_of(one));
}

static char *finding_id(const struct json_place *finding)
{
    return names_finding(id_of(finding->up->up), finding->item);
}

static char *finding_unit(const struct json_place *place)
{
    const struct finding *finding = place->item;
    return memory_text(finding->rule->unit);
}

static char *stage_name(const struct json_place *stage)
{
    return memory_text(judged_name((enum judged)stage->index));
}

/* ---- members ---- */

/* A pair [x, y]: two adjacent fields of a finding. */
#define PAIR(x) .shape = SHAPE_FIXED, .offset = offsetof(struct finding, x), .size = 4, .most = 2

static const struct json_member finding[] = {
    {"id", AS_DERIVED, .derive = finding_id},
    {"rule", AS_ENTRY, MEMBER_AT(struct finding, rule), .words = &rule_registry},
    {"verdict", AS_WORD, MEMBER_AT(struct finding, verdict), .words = &verdict_registry},
    {"value", AS_REAL | NULLABLE, MEMBER_AT(struct finding, value), .infinite = "inf"},
    {"unit", AS_DERIVED | UNREAD, .derive = finding_unit},
    {"warn", AS_REAL | NULLABLE, MEMBER_AT(struct finding, warn), .infinite = "inf"},
    {"fail", AS_REAL | NULLABLE, MEMBER_AT(struct finding, fail), .infinite = "inf"},
    {"because", AS_TEXT | NULLABLE, MEMBER_AT(struct finding, because)},
    {"frame", AS_INDEX | NULLABLE, MEMBER_AT(struct finding, frame)},
    {"pixel", AS_INDEX | LIST_NULLABLE, PAIR(x)},
    {"tile", AS_INDEX | LIST_NULLABLE, PAIR(tile_x)},
    {"a", AS_WHOLE, MEMBER_ARRAY(struct finding, a)},
    {"b", AS_WHOLE, MEMBER_ARRAY(struct finding, b)},
    {"text", AS_TEXT | NULLABLE, MEMBER_AT(struct finding, text)},
    {0},
};

static const struct json_member stage[] = {
    {"stage", AS_DERIVED, .derive = stage_name},
    {"verdict", AS_WORD, MEMBER_AT(struct stage_report, verdict), .words = &verdict_registry},
    {"substituted", AS_FLAG, MEMBER_AT(struct stage_report, substituted)},
    {"follows", AS_FLAG, MEMBER_AT(struct stage_report, follows)},
    {"same_platform", AS_FLAG, MEMBER_AT(struct stage_report, same_platform)},
    {"first_frame", AS_INDEX | NULLABLE, MEMBER_AT(struct stage_report, first_frame)},
    {"planned", AS_WHOLE, MEMBER_AT(struct stage_report, planned)},
    {"compared", AS_WHOLE, MEMBER_AT(struct stage_report, compared)},
    {"sentence", AS_TEXT | NULLABLE, MEMBER_AT(struct stage_report, sentence)},
    {"findings", AS_OBJECT, MEMBER_LIST(struct stage_report, findings, finding_count),
     .most = ENTRIES_MAX, .members = finding},
    {0},
};

static const struct json_member change[] = {
    {"what", AS_TEXT | NULLABLE, MEMBER_AT(struct environment_change, what)},
    {"before", AS_TEXT | NULLABLE, MEMBER_AT(struct environment_change, before)},
    {"now", AS_TEXT | NULLABLE, MEMBER_AT(struct environment_change, now)},
    {0},
};

static const struct json_member baseline[] = {
    {"path", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, baseline)},
    {"hash", AS_HASH | NULLABLE, MEMBER_AT(struct case_report, baseline_hash)},
    {"author", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, author)},
    {"reason", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, reason)},
    {"date", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, date)},
    {"anchor", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, anchor)},
    {0},
};

static const struct json_member candidate[] = {
    {"path", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, candidate)},
    {"hash", AS_HASH | NULLABLE, MEMBER_AT(struct case_report, candidate_hash)},
    {0},
};

static const struct json_member clip_frame[] = {
    {"frame of a", AS_INDEX | NULLABLE, MEMBER_AT(struct frame_pair, a)},
    {"frame of b", AS_INDEX | NULLABLE, MEMBER_AT(struct frame_pair, b)},
    {0},
};

static const struct json_member clip[] = {
    {"path", AS_TEXT | NULLABLE, MEMBER_AT(struct clip, path)},
    {"fps", AS_REAL | NULLABLE, MEMBER_AT(struct clip, fps), .infinite = "inf"},
    {"gain", AS_REAL | NULLABLE, MEMBER_AT(struct clip, gain), .infinite = "inf"},
    {"frames", AS_TUPLE, MEMBER_LIST(struct clip, frames, count), .most = ENTRIES_MAX,
     .members = clip_frame},
    {0},
};

static const struct json_member mark[] = {
    {"kind", AS_WORD, MEMBER_AT(struct mark, kind), .words = &mark_words},
    {"x", AS_SIGNED, MEMBER_AT(struct mark, x)},
    {"y", AS_SIGNED, MEMBER_AT(struct mark, y)},
    {"size", AS_REAL | NULLABLE, MEMBER_AT(struct mark, size), .infinite = "inf"},
    {"value", AS_REAL | NULLABLE, MEMBER_AT(struct mark, value), .infinite = "inf"},
    {0},
};

static const struct json_member shown[] = {
    {"frame", AS_INDEX | NULLABLE, MEMBER_AT(struct shown_frame, frame)},
    {"a", AS_TEXT | NULLABLE, MEMBER_AT(struct shown_frame, a)},
    {"b", AS_TEXT | NULLABLE, MEMBER_AT(struct shown_frame, b)},
    {"difference", AS_TEXT | NULLABLE, MEMBER_AT(struct shown_frame, difference)},
    {"worst", AS_REAL | NULLABLE, MEMBER_AT(struct shown_frame, worst), .infinite = "inf"},
    {"why", AS_TEXT | NULLABLE, MEMBER_AT(struct shown_frame, why)},
    {"marks", AS_OBJECT, MEMBER_LIST(struct shown_frame, marks, mark_count), .most = ENTRIES_MAX,
     .members = mark},
    {0},
};

static const struct json_member step[] = {
    {"kind", AS_WORD, MEMBER_AT(struct alignment_step, kind), .words = &step_words},
    {"frame of a", AS_INDEX | NULLABLE, MEMBER_AT(struct alignment_step, a)},
    {"frame of b", AS_INDEX | NULLABLE, MEMBER_AT(struct alignment_step, b)},
    {0},
};

/* A list with a number for each frame of the case. */
#define PER_FRAME(field)                                                                           \
    .shape = SHAPE_LIST, .offset = offsetof(struct series, field), .size = sizeof(double),         \
    MEMBER_COUNT(struct case_report, frames), .count_up = 1, .infinite = "inf"

static const struct json_member series[] = {
    {"rule", AS_ENTRY, MEMBER_AT(struct series, rule), .words = &rule_registry},
    {"values", AS_REAL | NULLABLE | COUNTED, PER_FRAME(value)},
    {0},
};

static const struct json_member one_case[] = {
    {"id", AS_DERIVED, .derive = case_id},
    {"name", AS_TEXT, MEMBER_AT(struct case_report, name)},
    {"a", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, a)},
    {"b", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, b)},
    {"verdict", AS_WORD, MEMBER_AT(struct case_report, verdict), .words = &verdict_registry},
    {"stage", AS_WORD | NULLABLE, MEMBER_AT(struct case_report, stage), .words = &judged_registry},
    {"sentence", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, sentence)},
    {"frames", AS_WHOLE, MEMBER_AT(struct case_report, frames)},
    {"fps", AS_REAL | NULLABLE, MEMBER_AT(struct case_report, fps), .infinite = "inf"},
    {"seconds", AS_REAL | NULLABLE, MEMBER_AT(struct case_report, seconds), .infinite = "inf"},
    {"stages", AS_OBJECT, MEMBER_ARRAY(struct case_report, stages), .members = stage},
    {"environment", AS_OBJECT, MEMBER_LIST(struct case_report, environment, environment_count),
     .most = ENTRIES_MAX, .members = change},
    {"reproduce", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, reproduce)},
    {"accept", AS_TEXT | NULLABLE, MEMBER_AT(struct case_report, accept)},
    {"baseline", AS_OBJECT, .members = baseline},
    {"candidate", AS_OBJECT, .members = candidate},
    {"clip", AS_OBJECT, MEMBER_AT(struct case_report, clip), .members = clip},
    {"shown", AS_OBJECT, MEMBER_LIST(struct case_report, shown, shown_count), .most = ENTRIES_MAX,
     .members = shown},
    {"alignment", AS_TUPLE, MEMBER_LIST(struct case_report, alignment, alignment_count),
     .most = FRAMES_MAX, .members = step},
    {"series", AS_OBJECT, MEMBER_LIST(struct case_report, series, series_count),
     .most = ENTRIES_MAX, .members = series},
    {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = REPORT_FORMAT, .most = REPORT_FORMAT},
    {"program", AS_TEXT | NULLABLE, MEMBER_AT(struct report, program)},
    {"command", AS_TEXT | NULLABLE, MEMBER_AT(struct report, command)},
    {"verdict", AS_WORD, MEMBER_AT(struct report, verdict), .words = &verdict_registry},
    {"cases", AS_OBJECT, MEMBER_LIST(struct report, cases, case_count), .most = CASES_MAX,
     .members = one_case},
    {0},
};

static const struct json_form form = {
    .members = members, .style = STYLE_INDENTED, .mend = escape_utf8};

/* ---- writing ---- */

/* Copies a case without the files that do not outlive the report; the caller frees `shown`. A page
 * has the clip itself. */
static struct case_report without_files(const struct case_report *from, bool has_clip)
{
    struct case_report one = *from;
    one.clip.path = NULL;
    if (!has_clip)
        one.clip = (struct clip){0};
    one.candidate = NULL;
    *one.candidate_hash = '\0';
    one.shown = memory_new(one.shown_count, sizeof *one.shown);
    for (uint32_t s = 0; s < one.shown_count; s++) {
        one.shown[s] = from->shown[s];
        one.shown[s].a = one.shown[s].b = one.shown[s].difference = NULL;
    }
    return one;
}

char *report_to_json(const struct report *report, bool dense)
{
    struct ids ids = {.report = report};
    struct json_form own = form;
    own.style = dense ? STYLE_LINES : STYLE_INDENTED;
    struct report lasting = *report;
    lasting.cases = memory_new(report->case_count, sizeof *report->cases);
    for (uint32_t c = 0; c < report->case_count && report->fleeting; c++)
        lasting.cases[c] = without_files(&report->cases[c], dense);
    char *text = json_write(&own, report->fleeting ? &lasting : report, &ids);
    for (uint32_t c = 0; c < report->case_count; c++)
        free(lasting.cases[c].shown);
    free(lasting.cases);
    free(ids.id);
    return text;
}

enum status report_write_json(const struct report *report, const char *path)
{
    char *text = report_to_json(report, false);
    if (!text)
        return status_fail(STATUS_RUNTIME, "the report does not fit in memory as JSON");
    struct draft draft;
    draft_open(&draft);
    fprintf(draft.file, "%s\n", text);
    free(text);
    return draft_save(&draft, path);
}

/* ---- reading ---- */

enum status report_read_json(struct report *report, const char *path)
{
    char *text;
    size_t size;
    int found;
    struct ids ids = {.report = report};
    *report = (struct report){0};
    enum status status = file_read(path, FILE_MAX, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = json_read(&form, text, size, report, &ids, &found);
    free(ids.id);
    free(text);
    if (status == STATUS_OK)
        return status;
    report_free(report);
    *report = (struct report){0};
    return status_prefix(STATUS_USAGE, found ? "the report '%s'" : "'%s' is not a gravreel report",
                         path);
}
