#include "cmd/regression/record/record.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the members of a record, by their names in a manifest (docs/json.md) ---- */

enum { SPARSE = OPTIONAL | NULLABLE }; /* a list in which some elements may be null */

/* The sums over a simulation's bodies; two structs have them in members of the same name. */
#define BODIES(type, of)                                                                           \
    {"mass", AS_REAL | OPTIONAL, MEMBER_AT(type, of diagnostics.mass)},                            \
        {"kinetic", AS_REAL | OPTIONAL, MEMBER_AT(type, of diagnostics.kinetic)},                  \
        {"potential", AS_REAL | OPTIONAL, MEMBER_AT(type, of diagnostics.potential)},              \
        {"energy", AS_REAL | OPTIONAL, MEMBER_AT(type, of diagnostics.energy)},                    \
        {"virial", AS_REAL | OPTIONAL, MEMBER_AT(type, of diagnostics.virial)},                    \
        {"centre", AS_REAL | SPARSE, MEMBER_ARRAY(type, of diagnostics.centre)},                   \
        {"momentum", AS_REAL | SPARSE, MEMBER_ARRAY(type, of diagnostics.momentum)},               \
        {"angular_momentum", AS_REAL | SPARSE,                                                     \
         MEMBER_ARRAY(type, of diagnostics.angular_momentum)},                                     \
        {"half_mass", AS_REAL | OPTIONAL, MEMBER_AT(type, of half_mass)},                          \
    {                                                                                              \
        "sketch", AS_REAL | SPARSE, MEMBER_ARRAY(type, of sketch)                                  \
    }

static const struct json_member platform_members[] = {
    {"start", AS_TEXT | OPTIONAL, MEMBER_AT(struct platform, start)},
    {"physics", AS_TEXT, MEMBER_AT(struct platform, physics)},
    {"drawing", AS_TEXT, MEMBER_AT(struct platform, drawing)},
    {"encoder", AS_TEXT, MEMBER_AT(struct platform, encoder)},
    {"muxer", AS_TEXT, MEMBER_AT(struct platform, muxer)},
    {0},
};

static const struct json_member container_members[] = {
#define FIELD(name, said, unsaid)                                                                  \
    {#name, AS_TEXT | OPTIONAL, MEMBER_AT(struct container_record, name)},
#include "cmd/regression/record/measures.def"
#undef FIELD
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
    BODIES(struct bodies_record, ),
    {0},
};

static const struct json_member frame_members[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct frame_record, frame)},
    {"time", AS_REAL | OPTIONAL, MEMBER_AT(struct frame_record, time)},
#define FRAME(name)         MEMBER_AT(struct frame_record, name)
#define HASH(name, doc)     {#name, AS_HASH | OPTIONAL, FRAME(name)},
#define REAL(name, doc)     {#name, AS_REAL | OPTIONAL, FRAME(name)},
#define REALS(name, n, doc) {#name, AS_REAL | SPARSE, MEMBER_ARRAY(struct frame_record, name)},
#define WHOLE(name, doc)    {#name, AS_WHOLE | OPTIONAL, FRAME(name)},
#define FLAG(name, doc)     {#name, AS_FLAG | OPTIONAL, FRAME(name)},
#define LOSS(name, component, function, doc)                                                       \
    {#name, AS_REAL | OPTIONAL, FRAME(name), .infinite = "equal"},
#include "cmd/regression/record/measures.def"
    BODIES(struct frame_record, bodies[0].),
    {"thumbnail", AS_CODES | OPTIONAL, MEMBER_AT(struct frame_record, thumbnail)},
    {"simulation_2", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, bodies[1]),
     .members = other},
    {"simulation_3", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, bodies[2]),
     .members = other},
    {"simulation_4", AS_OBJECT | OPTIONAL, MEMBER_AT(struct frame_record, bodies[3]),
     .members = other},
    {0},
};

static const struct json_member box[] = {
    {"", AS_TEXT, MEMBER_AT(struct box_record, name)},
    {"", AS_HASH, MEMBER_AT(struct box_record, hash)},
    {0},
};

static const struct json_member section[] = {
    {"", AS_TEXT, MEMBER_AT(struct record_section, name)},
    {"", AS_RAW, MEMBER_AT(struct record_section, text)},
    {0},
};

static const struct json_member record_members[] = {
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
    {"platform", AS_OBJECT, MEMBER_AT(struct record, platform), .members = platform_members},
    {"container", AS_OBJECT, MEMBER_AT(struct record, container), .members = container_members},
    {"scene", AS_LINES, MEMBER_AT(struct record, scene)},
    {"boxes", AS_HASH | OPTIONAL, MEMBER_MAP(struct record, boxes, box_count), .members = box},
    {"shows", AS_INDEX | NULLABLE | OPTIONAL, MEMBER_LIST(struct record, shows, shown)},
    {"frames", AS_OBJECT, MEMBER_LIST(struct record, frames, count), .members = frame_members},
    {"", AS_RAW, MEMBER_MAP(struct record, sections, section_count), .members = section},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

/* ---- a record ---- */

void frame_record_clear(struct frame_record *frame, uint64_t number)
{
    *frame = (struct frame_record){.frame = number};
    json_clear(frame_members, frame);
}

bool frame_record_take_diagnostics(struct frame_record *frame, const struct frame_record *known)
{
    bool same = *known->state && strcmp(known->state, frame->state) == 0;
    for (int s = 0; s < PANELS_MAX; s++)
        same = same && ((s > 0 && !*frame->bodies[s].state) ||
                        !isnan(known->bodies[s].diagnostics.energy + known->bodies[s].half_mass));
    for (int s = 0; s < PANELS_MAX && same; s++) {
        frame->bodies[s].diagnostics = known->bodies[s].diagnostics;
        frame->bodies[s].half_mass = known->bodies[s].half_mass;
    }
    return same;
}

enum status record_create(struct record *record, uint64_t first, uint64_t count)
{
    *record = (struct record){.count = count};
    if (count <= SIZE_MAX / sizeof *record->frames)
        record->frames = malloc((size_t)count * sizeof *record->frames);
    if (!record->frames) {
        record->count = 0;
        return status_fail(STATUS_RUNTIME,
                           "the record of %llu frames needs %llu MiB, which do not fit in memory",
                           (unsigned long long)count,
                           (unsigned long long)(count / 1024 * sizeof *record->frames / 1024));
    }
    for (uint64_t i = 0; i < count; i++)
        frame_record_clear(&record->frames[i], first + i);
    return STATUS_OK;
}

void record_set_commit(struct record *record, const char *commit)
{
    free(record->commit);
    record->commit = memory_text(commit && strcmp(commit, "unknown") != 0 ? commit : "");
}

void record_free(struct record *record)
{
    free(record->container.shown);
    json_free(record_members, record);
    *record = (struct record){0};
}

struct frame_record *record_frame(const struct record *record, uint64_t frame)
{
    uint64_t low = 0, high = record->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (record->frames[middle].frame < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low < record->count && record->frames[low].frame == frame ? &record->frames[low] : NULL;
}

uint64_t record_shown(const struct record *record)
{
    return record->shows ? record->shown : record->count;
}

uint64_t record_shows(const struct record *record, uint64_t i)
{
    return record->shows ? record->shows[i] : record->frames[i].frame;
}

/* ---- sections ---- */

static size_t find_section(const struct record *record, const char *name)
{
    size_t s = 0;
    while (s < record->section_count && strcmp(record->sections[s].name, name) != 0)
        s++;
    return s;
}

static void remove_section(struct record *record, size_t s)
{
    free(record->sections[s].name);
    free(record->sections[s].text);
    record->section_count--;
    memmove(&record->sections[s], &record->sections[s + 1],
            (record->section_count - s) * sizeof *record->sections);
}

void record_set_section(struct record *record, const char *name, const char *text)
{
    const size_t s = find_section(record, name);
    char *copy = text ? memory_text(text) : NULL;
    if (s == record->section_count && copy) {
        *MEMORY_ADD(record->sections, record->section_count) =
            (struct record_section){memory_text(name), copy};
    } else if (s < record->section_count && copy) {
        free(record->sections[s].text);
        record->sections[s].text = copy;
    } else if (s < record->section_count) {
        remove_section(record, s);
    }
}

const char *record_section(const struct record *record, const char *name)
{
    const size_t s = find_section(record, name);
    return s < record->section_count ? record->sections[s].text : NULL;
}

/* ---- sketches ---- */

/* Returns a hash of the number whose bits serve as signs; those of neighbouring numbers are
 * independent. */
static uint64_t signs_of(uint64_t number)
{
    return splitmix64((number + 1) * SPLITMIX_STEP);
}

void record_sketch_add(const double (*position)[3], size_t first, size_t count,
                       double sketch[RECORD_SKETCH])
{
    double sum[RECORD_SKETCH];
    memcpy(sum, sketch, sizeof sum);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++) {
            const uint64_t signs = signs_of(3 * (uint64_t)(first + i) + c);
            uint64_t bits;
            memcpy(&bits, &position[i][c], sizeof bits);
            for (unsigned k = 0; k < RECORD_SKETCH; k++) {
                const uint64_t signed_bits = bits ^ (signs >> k & 1) << 63;
                double value;
                memcpy(&value, &signed_bits, sizeof value);
                sum[k] += value;
            }
        }
    memcpy(sketch, sum, sizeof sum);
}

double record_distance(const struct record *a, const struct bodies_record *in_a,
                       const struct bodies_record *in_b)
{
    double squares = 0;
    for (int k = 0; k < RECORD_SKETCH; k++) {
        const double difference = in_a->sketch[k] - in_b->sketch[k];
        squares += difference * difference;
    }
    return a->bodies > 0 ? sqrt(squares / (RECORD_SKETCH * (double)a->bodies)) : NAN;
}

/* ---- times ---- */

enum { FRAMES_MAX = 1 << 24 };

void times_hash(const int64_t *ticks, uint64_t count, char out[HASH_TEXT])
{
    hash_parts(&(struct hash_part){ticks, (size_t)count * sizeof *ticks}, 1, out);
}

double times_base(const char *time_base)
{
    long num, den;
    return sscanf(time_base, "%ld/%ld", &num, &den) == 2 && num > 0 && den > 0
               ? (double)num / (double)den
               : NAN;
}

double times_tick(const struct container_record *container)
{
    return times_base(container->time_base ? container->time_base : "");
}

int64_t *times_of(const struct container_record *container)
{
    const size_t count = (size_t)container->frames;
    const double step =
        container->fps_den / (container->fps_num * times_tick(container)); /* ticks of a frame */
    if (count == 0 || count > FRAMES_MAX || (!container->shown && !isfinite(step)))
        return NULL;
    int64_t *ticks = memory_new(count, sizeof *ticks);
    char hash[HASH_TEXT];
    for (size_t i = 0; i < count; i++)
        ticks[i] = container->shown ? container->shown[i] : llround((double)i * step);
    times_hash(ticks, count, hash);
    if (container->shown || strcmp(hash, container->times) == 0)
        return ticks;
    free(ticks);
    return NULL;
}

/* ---- the manifest ---- */

static const struct json_form manifest = {.members = record_members, .style = STYLE_LINES};

char *record_to_json(const struct record *record)
{
    char *text = json_write(&manifest, record, NULL);
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

/* Returns the number of the first line in which two texts differ. */
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
    return same ? STATUS_OK
                : status_fail(STATUS_IO,
                              "the manifest '%s' is damaged, or was edited by hand: line %zu is "
                              "not as gravreel wrote it; record it again, or restore the file",
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
    enum status status = json_read(&manifest, text, size, record, NULL, &found);
    if (status == STATUS_OK && is_ascending(record))
        return check_text(record, text, size, name);
    if (status == STATUS_OK)
        return status_fail(STATUS_IO, "the manifest '%s' is damaged: its frames are not in order",
                           name);
    return status_prefix(status,
                         found == 0               ? "'%s' is not a film's manifest"
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
