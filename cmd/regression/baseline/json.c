#include "cmd/regression/baseline/json.h"

#include <string.h>

static const struct json_form form = {
    .members = baseline_members, .style = STYLE_LINES, .open = true};

/* Counts the numbers to write: the renderer leaves those it does not use 0, and zeros at the end
 * are omitted. */
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
