#include "cmd/regression/baseline/contents.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
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

static const struct json_member accepted[] = {
    {"date", AS_TEXT, MEMBER_AT(struct accepted, date)},
    {"author", AS_TEXT, MEMBER_AT(struct accepted, author)},
    {"because", AS_TEXT, MEMBER_AT(struct accepted, because)},
    {"stages", AS_TEXT, MEMBER_AT(struct accepted, stages)},
    {0},
};

const struct json_member baseline_members[] = {
    {"format", AS_FORMAT, .least = 1, .most = BASELINE_FORMAT},
    {"source", AS_OBJECT, MEMBER_AT(struct baseline, source), .members = source},
    {"states", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, states, state_count),
     .members = stored},
    {"pictures", AS_OBJECT, MEMBER_SHORT_LIST(struct baseline, pictures, picture_count),
     .members = stored},
    {"encoding", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, encoding)},
    {"anchor", AS_HASH | OPTIONAL, MEMBER_AT(struct baseline, anchor)},
    {"history", AS_OBJECT, MEMBER_LIST(struct baseline, history, history_count), .most = LIST_MOST,
     .members = accepted},
    {0},
};

static const char extension[] = ".json";

void baseline_start(struct baseline *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(file);
    if (length > strlen(extension) && strcmp(file + length - strlen(extension), extension) == 0)
        length -= strlen(extension);
    *out = (struct baseline){
        .path = memory_text(path),
        .name = text_format("%.*s", (int)length, file),
        .folder = text_format("%.*s%.*s.objects", (int)(file - path), path, (int)length, file),
    };
}

void baseline_free(struct baseline *baseline)
{
    free(baseline->path);
    free(baseline->name);
    free(baseline->folder);
    record_free(&baseline->record);
    json_free(baseline_members, baseline);
    *baseline = (struct baseline){0};
}

/* ---- lists ---- */

void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages)
{
    const uint32_t count = baseline->history_count++;
    baseline->history = memory_grow(baseline->history, count + 1, sizeof *baseline->history);
    baseline->history[count] = (struct accepted){memory_text(date), memory_text(author),
                                                 memory_text(because), memory_text(stages)};
}

bool baseline_names(const struct baseline *baseline, const char *object)
{
    for (uint32_t i = 0; i < baseline->state_count; i++)
        if (strcmp(baseline->states[i].object, object) == 0)
            return true;
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        if (strcmp(baseline->pictures[i].object, object) == 0)
            return true;
    return strcmp(baseline->encoding, object) == 0 || strcmp(baseline->anchor, object) == 0;
}
