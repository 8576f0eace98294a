#include "cmd/regression/record/json.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { SPARSE = OPTIONAL | NULLABLE }; /* a list in which some may be null */

/* The bodies of a simulation: both structs have the same members under the same names. */
#define BODIES(type)                                                                               \
    {"mass", AS_REAL | OPTIONAL, MEMBER_AT(type, diagnostics.mass)},                               \
        {"kinetic", AS_REAL | OPTIONAL, MEMBER_AT(type, diagnostics.kinetic)},                     \
        {"potential", AS_REAL | OPTIONAL, MEMBER_AT(type, diagnostics.potential)},                 \
        {"energy", AS_REAL | OPTIONAL, MEMBER_AT(type, diagnostics.energy)},                       \
        {"virial", AS_REAL | OPTIONAL, MEMBER_AT(type, diagnostics.virial)},                       \
        {"centre", AS_REAL | SPARSE, MEMBER_ARRAY(type, diagnostics.centre)},                      \
        {"momentum", AS_REAL | SPARSE, MEMBER_ARRAY(type, diagnostics.momentum)},                  \
        {"angular_momentum", AS_REAL | SPARSE, MEMBER_ARRAY(type, diagnostics.angular_momentum)},  \
        {"half_mass", AS_REAL | OPTIONAL, MEMBER_AT(type, half_mass)},                             \
    {                                                                                              \
        "sketch", AS_REAL | SPARSE, MEMBER_ARRAY(type, sketch)                                     \
    }

static const struct json_member platform[] = {
    {"start", AS_TEXT | OPTIONAL, MEMBER_AT(struct platform, start)},
    {"physics", AS_TEXT, MEMBER_AT(struct platform, physics)},
    {"drawing", AS_TEXT, MEMBER_AT(struct platform, drawing)},
    {"encoder", AS_TEXT, MEMBER_AT(struct platform, encoder)},
    {"muxer", AS_TEXT, MEMBER_AT(struct platform, muxer)},
    {0},
};

static const struct json_member container[] = {
    {"format", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, format)},
    {"codec", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, codec)},
    {"profile", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, profile)},
    {"pixel_format", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, pixel_format)},
    {"range", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, range)},
    {"matrix", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, matrix)},
    {"transfer", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, transfer)},
    {"primaries", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, primaries)},
    {"chroma_site", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, chroma_site)},
    {"time_base", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, time_base)},
    {"pixel_aspect", AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, pixel_aspect)},
    {"width", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, width)},
    {"height", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, height)},
    {"fps_num", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, fps_num)},
    {"fps_den", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, fps_den)},
    {"frames", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, frames)},
    {"bytes", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, bytes)},
    {"hidden", AS_WHOLE | OPTIONAL, MEMBER_AT(struct container_record, hidden)},
    {"duration", AS_REAL | OPTIONAL, MEMBER_AT(struct container_record, duration)},
    {"times", AS_HASH | OPTIONAL, MEMBER_AT(struct container_record, times)},
    {0},
};

static const struct json_member other[] = {
    {"state", AS_HASH | OPTIONAL, MEMBER_AT(struct bodies_record, state)},
    BODIES(struct bodies_record),
    {0},
};

static const struct json_member frame[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct frame_record, frame)},
    {"time", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, time)},
    {"state", AS_HASH | OPTIONAL, MEMBER_AT(struct frame_record, state)},
    {"light", AS_HASH | OPTIONAL, MEMBER_AT(struct frame_record, light)},
    {"light_sum", AS_REAL | SPARSE, MEMBER_ARRAY(struct frame_record, light_sum)},
    {"light_broken", AS_WHOLE | OPTIONAL, MEMBER_AT(struct frame_record, light_broken)},
    {"picture", AS_HASH | OPTIONAL, MEMBER_AT(struct frame_record, picture)},
    {"picture_light", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, picture_light)},
    {"packet", AS_HASH | OPTIONAL, MEMBER_AT(struct frame_record, packet)},
    {"packet_bytes", AS_WHOLE | OPTIONAL, MEMBER_AT(struct frame_record, packet_bytes)},
    {"key", AS_FLAG | OPTIONAL, MEMBER_AT(struct frame_record, key)},
    {"decoded", AS_HASH | OPTIONAL, MEMBER_AT(struct frame_record, decoded)},
    {"psnr_y", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, psnr_y), .infinite = "equal"},
    {"psnr_cb", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, psnr_cb), .infinite = "equal"},
    {"psnr_cr", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, psnr_cr), .infinite = "equal"},
    {"ssim", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, ssim)},
    {"bias", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, bias)},
    BODIES(struct frame_record),
    {"thumbnail", AS_CODES | OPTIONAL, MEMBER_AT(struct frame_record, thumbnail)},
    {"simulation_2", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, others[0]),
     .members = other},
    {"simulation_3", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, others[1]),
     .members = other},
    {"simulation_4", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, others[2]),
     .members = other},
    {0},
};

static const struct json_member box[] = {
    {"", AS_TEXT, MEMBER_AT(struct box_record, name)},
    {"", AS_HASH, MEMBER_AT(struct box_record, hash)},
};

static const struct json_member section[] = {
    {"", AS_TEXT, MEMBER_AT(struct record_section, name)},
    {"", AS_RAW, MEMBER_AT(struct record_section, text)},
};

static const struct json_member members[] = {
    {"gravreel_manifest", AS_FORMAT, .least = RECORD_FORMAT, .most = RECORD_FORMAT},
    {"program", AS_TEXT, MEMBER_AT(struct record, program)},
    {"commit", AS_TEXT | OPTIONAL, MEMBER_AT(struct record, commit)},
    {"scene_hash", AS_TEXT, MEMBER_AT(struct record, scene_hash)},
    {"output_format", AS_TEXT, MEMBER_AT(struct record, output_format)},
    {"bodies", AS_WHOLE, MEMBER_AT(struct record, bodies)},
    {"softening", AS_REAL | OPTIONAL, MEMBER_AT(struct record, softening)},
    {"simulation_2_panel", AS_TEXT | OPTIONAL, MEMBER_AT(struct record, other_panel[0])},
    {"simulation_3_panel", AS_TEXT | OPTIONAL, MEMBER_AT(struct record, other_panel[1])},
    {"simulation_4_panel", AS_TEXT | OPTIONAL, MEMBER_AT(struct record, other_panel[2])},
    {"renderer_class", AS_TEXT, MEMBER_AT(struct record, renderer_class)},
    {"device", AS_TEXT, MEMBER_AT(struct record, device)},
    {"libraries", AS_TEXT, MEMBER_AT(struct record, libraries)},
    {"encoding", AS_TEXT | OPTIONAL, MEMBER_AT(struct record, encoding)},
    {"platform", AS_OBJECT, MEMBER_AT(struct record, platform), .members = platform},
    {"container", AS_OBJECT, MEMBER_AT(struct record, container), .members = container},
    {"scene", AS_LINES, MEMBER_AT(struct record, scene)},
    {"boxes", AS_HASH | OPTIONAL, MEMBER_MAP(struct record, boxes, box_count), .members = box},
    {"shows", AS_INDEX | OPTIONAL, MEMBER_LIST(struct record, shows, shown)},
    {"frames", AS_OBJECT, MEMBER_LIST(struct record, frames, count), .members = frame},
    {"", AS_RAW, MEMBER_MAP(struct record, sections, section_count), .members = section},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_LINES};

char *record_to_json(const struct record *record)
{
    char *text = json_write(&form, record, NULL);
    if (!text)
        return NULL;
    char *sealed = json_seal(text, strlen(text) - strlen("\n}"));
    char *ended = text_format("%s\n", sealed);
    free(text);
    free(sealed);
    return ended;
}

enum status record_write(const struct record *record, const char *path)
{
    char *text = record_to_json(record);
    if (!text)
        return status_fail(STATUS_RUNTIME,
                           "the manifest '%s' cannot be written, because a text in it is not UTF-8",
                           path);
    char *folder = file_folder(path);
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = file_write(path, text, strlen(text));
    free(folder);
    free(text);
    return status;
}

/* ---- reading ---- */

/* The line in which two texts part. */
static size_t first_difference(const char *a, const char *b, size_t size)
{
    size_t line = 1;
    for (size_t i = 0; i < size && a[i] == b[i] && a[i]; i++)
        line += a[i] == '\n';
    return line;
}

static enum status check_text(const struct record *record, const char *text, size_t size,
                              const char *name)
{
    char *again = record_to_json(record);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    const size_t line = again ? first_difference(text, again, size) : 1;
    free(again);
    return same
               ? STATUS_OK
               : status_fail(STATUS_IO,
                             "the manifest '%s' is damaged, or was edited by hand: line %zu is not "
                             "as gravreel wrote it; record it again, or bring the file back",
                             name, line);
}

static bool is_ascending(const struct record *record)
{
    for (size_t i = 1; i < record->count; i++)
        if (record->frames[i].frame <= record->frames[i - 1].frame)
            return false;
    return true;
}

enum status record_from_json(struct record *record, const char *text, size_t size, const char *name)
{
    int found;
    *record = (struct record){0};
    enum status status = json_read(&form, text, size, record, NULL, &found);
    if (status == STATUS_OK && is_ascending(record))
        return check_text(record, text, size, name);
    if (status == STATUS_OK)
        return status_fail(STATUS_IO, "the manifest '%s' is damaged: its frames are not in order",
                           name);
    return status_prefix(status,
                         found == 0               ? "'%s' is no manifest of a film"
                         : status == STATUS_USAGE ? "the manifest '%s'"
                                                  : "the manifest '%s' is damaged",
                         name);
}

enum status record_read(struct record *record, const char *path)
{
    enum { LIMIT = 1 << 28 };
    char *text;
    size_t size;
    *record = (struct record){0};
    enum status status = file_read(path, LIMIT, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = record_from_json(record, text, text_end_lines(text, size), path);
    free(text);
    return status;
}
