#include "cmd/film/manifest/json.h"

#include "base/json/codec.h"

#include <stdlib.h>
#include <string.h>

static const struct json_member value[] = {
    {"", AS_NAME, MEMBER_AT(struct manifest_value, name)},
    {"", AS_REAL, MEMBER_AT(struct manifest_value, value)},
    {0},
};

static const struct json_member segment[] = {
    {"index", AS_WHOLE, MEMBER_AT(struct manifest_segment, index)},
    {"first", AS_WHOLE, MEMBER_AT(struct manifest_segment, first)},
    {"count", AS_WHOLE, MEMBER_AT(struct manifest_segment, count)},
    {"file", AS_NAME, MEMBER_AT(struct manifest_segment, file)},
    {"bytes", AS_WHOLE, MEMBER_AT(struct manifest_segment, bytes)},
    {JSON_SEAL, AS_NAME, MEMBER_AT(struct manifest_segment, hash)},
    {0},
};

static const struct json_member checkpoint[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct manifest_checkpoint, frame)},
    {"file", AS_NAME, MEMBER_AT(struct manifest_checkpoint, file)},
    {"bytes", AS_WHOLE, MEMBER_AT(struct manifest_checkpoint, bytes)},
    {JSON_SEAL, AS_NAME, MEMBER_AT(struct manifest_checkpoint, hash)},
    {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = MANIFEST_FORMAT, .most = MANIFEST_FORMAT},
    {"program", AS_TEXT, MEMBER_AT(struct manifest, plan.program)},
    {"scene", AS_TEXT, MEMBER_AT(struct manifest, plan.scene)},
    {"scene_hash", AS_TEXT, MEMBER_AT(struct manifest, plan.scene_hash)},
    {"start", AS_TEXT, MEMBER_AT(struct manifest, plan.start)},
    {"codec", AS_TEXT, MEMBER_AT(struct manifest, plan.codec)},
    {"container", AS_TEXT, MEMBER_AT(struct manifest, plan.container)},
    {"frames", AS_WHOLE, MEMBER_AT(struct manifest, plan.frames)},
    {"first", AS_WHOLE, MEMBER_AT(struct manifest, plan.first)},
    {"last", AS_WHOLE, MEMBER_AT(struct manifest, plan.last)},
    {"segment_length", AS_WHOLE, MEMBER_AT(struct manifest, plan.segment_length)},
    {"film_plan", AS_HASH | NULLABLE, MEMBER_AT(struct manifest, film_plan)},
    {"values", AS_REAL, MEMBER_MAP(struct manifest, values, value_count), .members = value},
    {"segments", AS_OBJECT, MEMBER_LIST(struct manifest, segments, segment_count),
     .members = segment},
    {"pictures", AS_OBJECT, MEMBER_LIST(struct manifest, pictures, picture_count),
     .members = segment},
    {"checkpoints", AS_OBJECT, MEMBER_LIST(struct manifest, checkpoints, checkpoint_count),
     .members = checkpoint},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_SORTED};

char *manifest_to_json(const struct manifest *manifest)
{
    char *text = json_write(&form, manifest, NULL);
    char *sealed = text ? json_seal(text, strlen(text)) : NULL;
    free(text);
    return sealed;
}

enum status manifest_from_json(struct manifest *manifest, const char *text, size_t size,
                               int *format)
{
    const enum status status = json_read(&form, text, size, manifest, NULL, format);
    if (status != STATUS_OK)
        return status == STATUS_USAGE && json_is_sealed(text, size) ? status : STATUS_IO;
    char *again = manifest_to_json(manifest);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    free(again);
    return same ? STATUS_OK : status_fail(STATUS_IO, "it is not as gravreel wrote it");
}

void manifest_contents_free(struct manifest *manifest)
{
    json_free(members, manifest);
}
