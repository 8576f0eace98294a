#include "cmd/regression/baseline/json.h"

#include "base/json/codec.h"

#include <string.h>

enum { LIST_MOST = 1000 };

static const struct json_member setting[] = {
    {"append", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct source_setting, append)},
    {"key", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct source_setting, key)},
    {"value", AS_TEXT, MEMBER_AT(struct source_setting, value)},
    {0},
};

static const struct json_member source[] = {
    {"scene", AS_TEXT, MEMBER_AT(struct source, scene)},
    {"bodies_from", AS_TEXT | OPTIONAL | NULLABLE, MEMBER_AT(struct source, bodies_from)},
    {"settings", AS_OBJECT, MEMBER_LIST(struct source, settings, setting_count),
     .most = SETTINGS_MAX, .members = setting},
    {0},
};

static const struct json_member stored[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct stored, frame)},
    {"object", AS_HASH, MEMBER_AT(struct stored, object)},
    {"renderer", AS_REAL | OPTIONAL | NULLABLE,
     MEMBER_SHORT_LIST(struct stored, renderer, renderer_count),
     .has = offsetof(struct stored, has_renderer)},
    {0},
};

static const struct json_member ensemble[] = {
    {"members", AS_WHOLE, MEMBER_AT(struct ensemble, members), .least = 1,
     .most = ENSEMBLE_MEMBERS_MOST},
    {"perturbation", AS_REAL, MEMBER_AT(struct ensemble, perturbation)},
    {"distance", AS_REAL | NULLABLE, MEMBER_LIST(struct ensemble, distance, count)},
    {"energy", AS_REAL | NULLABLE | COUNTED, MEMBER_LIST(struct ensemble, energy, count)},
    {"half_mass", AS_REAL | NULLABLE | COUNTED, MEMBER_LIST(struct ensemble, half_mass, count)},
    {0},
};

static const struct json_member sensitivity[] = {
    {"what", AS_TEXT, MEMBER_AT(struct sensitivity, what)},
    {"smallest", AS_TEXT, MEMBER_AT(struct sensitivity, smallest)},
    {"stage", AS_WORD, MEMBER_AT(struct sensitivity, stage), .words = &judged_registry},
    {0},
};

static const struct json_member accepted[] = {
    {"date", AS_TEXT, MEMBER_AT(struct accepted, date)},
    {"author", AS_TEXT, MEMBER_AT(struct accepted, author)},
    {"because", AS_TEXT, MEMBER_AT(struct accepted, because)},
    {"stages", AS_TEXT, MEMBER_AT(struct accepted, stages)},
    {0},
};

static const struct json_member variant[] = {
    {"date", AS_TEXT, MEMBER_AT(struct variant, date)},
    {"author", AS_TEXT, MEMBER_AT(struct variant, author)},
    {"because", AS_TEXT, MEMBER_AT(struct variant, because)},
    {"expires", AS_TEXT, MEMBER_AT(struct variant, expires)},
    {"record", AS_HASH, MEMBER_AT(struct variant, object)},
    {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = 1, .most = BASELINE_FORMAT},
    {"source", AS_OBJECT, MEMBER_AT(struct baseline, source), .members = source},
    {"states", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, states, state_count),
     .members = stored},
    {"pictures", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, pictures, picture_count),
     .members = stored},
    {"encoding", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, encoding)},
    {"anchor", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, anchor)},
    {"ensemble", AS_OBJECT | OPTIONAL, MEMBER_AT(struct baseline, ensemble), .members = ensemble},
    {"sees", AS_OBJECT, MEMBER_LIST(struct baseline, sees, sees_count), .most = LIST_MOST,
     .members = sensitivity},
    {"history", AS_OBJECT, MEMBER_LIST(struct baseline, history, history_count), .most = LIST_MOST,
     .members = accepted},
    {"variants", AS_OBJECT, MEMBER_LIST(struct baseline, variants, variant_count),
     .most = LIST_MOST, .members = variant},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_LINES, .open = true};

/* Numbers that the renderer does not use are 0, and left out at the end. */
static void count_used(struct stored *state)
{
    state->renderer_count = RENDERER_STATE;
    while (state->renderer_count > 0 && state->renderer[state->renderer_count - 1] == 0)
        state->renderer_count--;
}

char *baseline_to_json(const struct baseline *baseline)
{
    struct baseline counted = *baseline;
    for (uint32_t i = 0; i < counted.state_count; i++)
        count_used(&counted.states[i]);
    return json_write(&form, &counted, NULL);
}

/* ---- reading ---- */

static bool is_ascending(const struct stored *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (list[i].frame <= list[i - 1].frame)
            return false;
    return true;
}

static bool names_keys(const struct source *from)
{
    for (uint32_t i = 0; i < from->setting_count; i++)
        if (!from->settings[i].key == !from->settings[i].append)
            return false;
    return true;
}

enum status baseline_from_json(struct baseline *baseline, const char *text)
{
    int format;
    const enum status status = json_read(&form, text, strlen(text), baseline, NULL, &format);
    if (status != STATUS_OK)
        return status;
    if (!is_ascending(baseline->states, baseline->state_count) ||
        !is_ascending(baseline->pictures, baseline->picture_count))
        return status_fail(STATUS_IO, "its frames are not in order");
    if (!names_keys(&baseline->source))
        return status_fail(STATUS_IO, "a setting has not exactly one of \"key\" and \"append\"");
    if (!source_is_safe(&baseline->source))
        return status_fail(STATUS_IO, "a path of its source is not relative");
    return STATUS_OK;
}
