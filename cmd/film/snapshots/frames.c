#include "cmd/film/snapshots/frames.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/text.h"
#include "sim/formats/bytes.h"
#include "sim/formats/formats.h"
#include "sim/playback/directory.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 20, PIECE = 1 << 16 };
#define FILE_MOST (1ull << 48)

/* Frames that are being written while others arrive, because a disk takes as long to sync a small
 * file as to write it; those of more bodies are written one at a time, to save memory. */
enum { WRITERS = 3, WRITTEN_BESIDE_MOST = 1 << 20 };

/* ---- the lines ---- */

struct part {
    char *name;
    uint64_t count;
};

struct array {
    char *text; /* "temperature f4 K" */
};

struct frame {
    double time; /* of arrays; a file has its own */
    uint64_t bodies;
    uint64_t bytes; /* of a file, which replaces the arrays; 0: there is none */
    struct array *arrays;
    size_t array_count;
    struct part *parts;
    size_t part_count;
};

struct stream_head {
    char *kind;
    double begun; /* seconds since 1970; NAN: unknown */
    struct snapshot_units units;
};

static const struct json_member unit_members[] = {
    {"length_cm", AS_REAL | OPTIONAL, MEMBER_AT(struct snapshot_units, length_cm)},
    {"mass_g", AS_REAL | OPTIONAL, MEMBER_AT(struct snapshot_units, mass_g)},
    {"velocity_cms", AS_REAL | OPTIONAL, MEMBER_AT(struct snapshot_units, velocity_cms)},
    {0},
};

static const struct json_member head_members[] = {
    {"gravreel", AS_TEXT, MEMBER_AT(struct stream_head, kind)},
    {"format", AS_FORMAT, .least = 1, .most = 1},
    {"begun", AS_REAL | OPTIONAL, MEMBER_AT(struct stream_head, begun)},
    {"units", AS_OBJECT | OPTIONAL, MEMBER_AT(struct stream_head, units), .members = unit_members},
    {0},
};

static const struct json_member part_members[] = {
    {"", AS_TEXT, MEMBER_AT(struct part, name)},
    {"", AS_WHOLE, MEMBER_AT(struct part, count), .most = BODY_ROWS_MAX},
    {0},
};

static const struct json_member frame_members[] = {
    {"time", AS_REAL | OPTIONAL, MEMBER_AT(struct frame, time)},
    {"bodies", AS_WHOLE | OPTIONAL, MEMBER_AT(struct frame, bodies), .least = 1,
     .most = BODY_ROWS_MAX},
    {"arrays", AS_TEXT | OPTIONAL, MEMBER_LIST(struct frame, arrays, array_count)},
    {"bytes", AS_WHOLE | OPTIONAL, MEMBER_AT(struct frame, bytes), .least = 1, .most = FILE_MOST},
    {"components", AS_WHOLE | OPTIONAL, MEMBER_MAP(struct frame, parts, part_count),
     .members = part_members},
    {0},
};

/* One stream. There are several if each rank of a simulation writes its own. */
struct source {
    FILE *stream;
    char *path; /* NULL: standard input */
    char *name; /* for messages: "standard input", "'FILE'" */
    double begun;
    struct snapshot_units units; /* all 0: unknown */
    struct frame frame;
};

/* A frame that a thread checks and writes. */
struct writing {
    struct worker *worker; /* NULL: none so far */
    char *path, *what;
    struct snapshot snapshot;
    uint64_t number;
};

struct receiver {
    struct source *sources;
    size_t source_count;
    char *title; /* of all sources, for messages */
    const char *folder;
    uint64_t number; /* of the next frame, counted from 0 */
    double before;   /* the last frame's time */
    struct snapshot_units units;
    struct bodies *first; /* of the first frame, for arrays that others leave out */
    struct writing writing[WRITERS];
    struct failure failure; /* of the earliest frame that cannot be written, */
    uint64_t refused;       /* and its number */
    char *line;
    FILE *stream;     /* of the source being read */
    const char *name; /* likewise */
};

static void choose(struct receiver *receiver, const struct source *source)
{
    receiver->stream = source->stream;
    receiver->name = source->name;
}

/* STATUS_IO: the stream cannot be read. */
static enum status check_stream(const struct receiver *receiver)
{
    return ferror(receiver->stream)
               ? status_fail(STATUS_IO, "cannot read %s: %s", receiver->name, strerror(errno))
               : STATUS_OK;
}

/* Puts the frame before a sentence: "frame 3 of standard input has ...". */
static enum status refuse(const struct receiver *receiver, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum status refuse(const struct receiver *receiver, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *rest = text_format_list(format, args);
    va_end(args);
    const enum status status =
        status_fail(STATUS_USAGE, "frame %llu of %s %s", (unsigned long long)receiver->number,
                    receiver->name, rest);
    free(rest);
    return status;
}

/* Reads a line without its line feed. *ended: the stream ends before it. */
static enum status read_line(struct receiver *receiver, bool *ended)
{
    size_t length = 0;
    int c;
    while ((c = getc_unlocked(receiver->stream)) != EOF && c != '\n') {
        if (length == LINE_MOST)
            return refuse(receiver,
                          "does not begin with a line, but with more than %d bytes "
                          "without a line feed; docs/frames.md describes the stream",
                          LINE_MOST);
        receiver->line[length++] = (char)c;
    }
    receiver->line[length] = '\0';
    *ended = c == EOF;
    return check_stream(receiver);
}

static enum status parse(const struct receiver *receiver, const struct json_form *form, void *out,
                         const char *what)
{
    int format = 0;
    const enum status status =
        json_read(form, receiver->line, strlen(receiver->line), out, NULL, &format);
    if (status == STATUS_OK)
        return STATUS_OK;
    status_prefix(status, "%s of %s", what, receiver->name);
    return STATUS_USAGE;
}

/* Takes over the units, which are not checked if there are none. */
static enum status take_units(const struct receiver *receiver, const struct snapshot_units *given,
                              struct snapshot_units *out)
{
    const double values[] = {given->length_cm, given->mass_g, given->velocity_cms};
    const char *const missing = !isfinite(given->length_cm)      ? "length_cm"
                                : !isfinite(given->velocity_cms) ? "velocity_cms"
                                                                 : NULL;
    bool some = false;
    for (size_t u = 0; u < 3; u++) {
        some = some || isfinite(values[u]);
        if (values[u] <= 0)
            return status_fail(STATUS_USAGE,
                               "the first line of %s has the unit %s %g; units must be above 0",
                               receiver->name, unit_members[u].name, values[u]);
    }
    if (some && missing)
        return status_fail(STATUS_USAGE,
                           "the first line of %s has units without %s; give length_cm, mass_g and "
                           "velocity_cms",
                           receiver->name, missing);
    *out = some ? *given : (struct snapshot_units){0};
    out->mass_g = isfinite(out->mass_g) ? out->mass_g : 0;
    return STATUS_OK;
}

static enum status read_head(struct receiver *receiver, struct source *source)
{
    static const struct json_form form = {.members = head_members};
    struct stream_head head = {0};
    bool ended;
    choose(receiver, source);
    enum status status = read_line(receiver, &ended);
    if (status == STATUS_OK && ended)
        status = status_fail(STATUS_USAGE,
                             "%s ends before the first frame; pipe the frames of a simulation "
                             "into the program (docs/frames.md)",
                             receiver->name);
    if (status == STATUS_OK)
        status = parse(receiver, &form, &head, "the first line");
    if (status == STATUS_OK && strcmp(head.kind, "frames") != 0)
        status = status_fail(STATUS_USAGE,
                             "the first line of %s must be {\"gravreel\": \"frames\", ...}, but "
                             "\"gravreel\" is \"%s\"; docs/frames.md describes the stream",
                             receiver->name, head.kind);
    if (status == STATUS_OK)
        status = take_units(receiver, &head.units, &source->units);
    source->begun = head.begun;
    json_free(head_members, &head);
    return status;
}

/* ---- the arrays ---- */

#define NUMBER(name, type)                                                                         \
    static double from_##name(const void *at)                                                      \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, at, sizeof value);                                                          \
        return (double)value;                                                                      \
    }
NUMBER(f4, float)
NUMBER(f8, double)
NUMBER(i4, int32_t)
NUMBER(i8, int64_t)
NUMBER(u4, uint32_t)
NUMBER(u8, uint64_t)

static const struct type {
    const char *name;
    size_t size;
    bool whole;
    double (*number)(const void *at);
} types[] = {{"f4", 4, false, from_f4}, {"f8", 8, false, from_f8}, {"i4", 4, true, from_i4},
             {"i8", 8, true, from_i8},  {"u4", 4, true, from_u4},  {"u8", 8, true, from_u8}};

struct field {
    char name[BODY_COLUMN_NAME], unit[BODY_COLUMN_UNIT];
    const struct type *type;
};

static enum status parse_field(const struct receiver *receiver, const char *text, struct field *out)
{
    char name[BODY_COLUMN_NAME + 1] = "", type[4] = "";
    int end = 0;
    *out = (struct field){.type = NULL};
    if (sscanf(text, "%64s %3s %n", name, type, &end) == 2)
        for (size_t t = 0; t < sizeof types / sizeof *types; t++)
            out->type = strcmp(types[t].name, type) == 0 ? &types[t] : out->type;
    if (!out->type || strlen(name) >= sizeof out->name || strlen(text + end) >= sizeof out->unit)
        return refuse(receiver,
                      "has the array \"%s\"; an array is a name, one of the types f4, f8, "
                      "i4, i8, u4, u8, and perhaps a unit, each shorter than %d bytes: "
                      "\"temperature f4 K\"",
                      text, BODY_COLUMN_NAME);
    memcpy(out->name, name, sizeof out->name);
    snprintf(out->unit, sizeof out->unit, "%s", text + end);
    return STATUS_OK;
}

/* Reads `count` numbers; *ended: the stream ends before the last. */
static enum status read_numbers(const struct receiver *receiver, const struct type *type,
                                size_t count, double *out, bool *ended)
{
    char piece[PIECE];
    const size_t most = sizeof piece / type->size;
    for (size_t done = 0; done < count && !*ended;) {
        const size_t now = count - done < most ? count - done : most;
        *ended = fread(piece, type->size, now, receiver->stream) != now;
        for (size_t i = 0; i < now && !*ended; i++)
            out[done + i] = type->number(piece + i * type->size);
        done += now;
    }
    return check_stream(receiver);
}

static enum status read_ids(const struct receiver *receiver, const struct type *type,
                            struct bodies *bodies, size_t first, size_t count, bool *ended)
{
    enum status status = bodies->id ? STATUS_OK : bodies_add_ids(bodies, bodies->count);
    if (status == STATUS_OK && !type->whole)
        return refuse(receiver, "has ids of type %s; ids are whole numbers: i4, i8, u4 or u8",
                      type->name);
    for (size_t i = first; i < first + count && status == STATUS_OK && !*ended; i++) {
        unsigned char bytes[8] = {0};
        *ended = fread(bytes, type->size, 1, receiver->stream) != 1;
        if (type->name[0] == 'i' && bytes[type->size - 1] > 127)
            return refuse(receiver, "gives body %zu a negative id; ids count from 0", i + 1);
        memcpy(&bodies->id[i], bytes, sizeof bytes);
    }
    return status;
}

/* Now, because at the end, where snapshots are matched, the simulation is over. */
static enum status check_ids(const struct receiver *receiver, const struct bodies *bodies)
{
    struct ids seen = {0};
    enum status status = ids_open(&seen, bodies->count);
    for (size_t i = 0; i < bodies->count && status == STATUS_OK; i++)
        status = ids_find(&seen, bodies->id[i], i) == SIZE_MAX
                     ? ids_add(&seen, bodies->id[i])
                     : refuse(receiver, "has two bodies with the id %llu; give each body its own",
                              (unsigned long long)bodies->id[i]);
    ids_close(&seen);
    return status;
}

enum { HAS_MASS = 1, HAS_POS = 2, HAS_VEL = 4, HAS_ID = 8 };

/* Reads the values of bodies first .. first + count - 1. */
static enum status read_array(const struct receiver *receiver, const struct field *field,
                              struct bodies *bodies, size_t first, size_t count, unsigned *has,
                              bool *ended)
{
    unsigned flag = 0;
    double *out = NULL;
    if (strcmp(field->name, "id") == 0)
        flag = HAS_ID;
    else if (strcmp(field->name, "mass") == 0)
        flag = HAS_MASS, out = bodies->mass;
    else if (strcmp(field->name, "pos") == 0)
        flag = HAS_POS, out = bodies->position[0];
    else if (strcmp(field->name, "vel") == 0)
        flag = HAS_VEL, out = bodies->velocity[0];
    const struct body_column *column =
        flag ? NULL : body_columns_find(&bodies->columns, field->name);
    if (first == 0 && ((*has & flag) || column))
        return refuse(receiver, "has the array %s twice; leave one out", field->name);
    *has |= flag;
    if (flag == HAS_ID)
        return read_ids(receiver, field->type, bodies, first, count, ended);
    if (!flag && !column) {
        const enum status status =
            body_columns_add(&bodies->columns, field->name, field->unit,
                             strcmp(field->type->name, "f4") == 0, bodies->count);
        if (status != STATUS_OK)
            return status;
        column = &bodies->columns.list[bodies->columns.count - 1];
    }
    out = column ? column->value : out;
    const size_t each = flag & (HAS_POS | HAS_VEL) ? 3 : 1;
    return read_numbers(receiver, field->type, each * count, out + each * first, ended);
}

/* Takes what the frame leaves out from the first one. */
static enum status complete(const struct receiver *receiver, struct bodies *bodies, unsigned has)
{
    const struct bodies *first = receiver->first;
    if ((has & (HAS_POS | HAS_VEL)) != (HAS_POS | HAS_VEL) || (!first && !(has & HAS_MASS)))
        return refuse(receiver,
                      "has no array %s; every frame needs pos and vel, and the first "
                      "one mass, too",
                      !(has & HAS_POS)   ? "pos"
                      : !(has & HAS_VEL) ? "vel"
                                         : "mass");
    const enum status checked = has & HAS_ID ? check_ids(receiver, bodies) : STATUS_OK;
    if (checked != STATUS_OK || !first)
        return checked;
    const bool same = bodies->count == first->count;
    if (!same && !((has & HAS_ID) && (has & HAS_MASS)))
        return refuse(receiver,
                      "has %zu bodies, and frame 0 has %zu; bodies that come or go need "
                      "the arrays id and mass in every frame",
                      bodies->count, first->count);
    if (!(has & HAS_MASS))
        memcpy(bodies->mass, first->mass, first->count * sizeof *first->mass);
    if ((has & HAS_ID) || !first->id)
        return STATUS_OK;
    const enum status status = bodies_add_ids(bodies, bodies->count);
    if (status == STATUS_OK)
        memcpy(bodies->id, first->id, first->count * sizeof *first->id);
    return status;
}

static enum status name_parts(const struct receiver *receiver, const struct frame *frame,
                              struct bodies *bodies)
{
    size_t end = 0;
    for (size_t p = 0; p < frame->part_count; p++) {
        struct component *component = &bodies->components[p];
        const struct part *part = &frame->parts[p];
        *component = (struct component){
            .first = end, .count = (size_t)part->count, .draw = true, .light = 1};
        snprintf(component->name, sizeof component->name, "%s", part->name);
        end += component->count;
    }
    if (frame->part_count == 0)
        bodies->components[0] =
            (struct component){.name = "bodies", .count = bodies->count, .draw = true, .light = 1};
    return frame->part_count == 0 || end == bodies->count
               ? STATUS_OK
               : refuse(receiver, "has %zu bodies, but its components have %zu; name as many",
                        bodies->count, end);
}

/* Reads the bodies of a source into rows from `first` on. */
static enum status read_share(const struct receiver *receiver, const struct frame *frame,
                              struct bodies *bodies, size_t first, unsigned *has, bool *ended)
{
    enum status status = STATUS_OK;
    for (size_t a = 0; a < frame->array_count && status == STATUS_OK && !*ended; a++) {
        struct field field;
        status = parse_field(receiver, frame->arrays[a].text, &field);
        if (status == STATUS_OK)
            status = read_array(receiver, &field, bodies, first, (size_t)frame->bodies, has, ended);
    }
    return status;
}

/* The stream that body `i` of a frame is from. */
static const struct source *source_of(const struct receiver *receiver, size_t i)
{
    const struct source *source = receiver->sources;
    for (; i >= source->frame.bodies; source++)
        i -= (size_t)source->frame.bodies;
    return source;
}

static bool is_same_body(const struct bodies *bodies, size_t a, size_t b)
{
    return memcmp(bodies->position[a], bodies->position[b], sizeof *bodies->position) == 0 &&
           memcmp(bodies->velocity[a], bodies->velocity[b], sizeof *bodies->velocity) == 0;
}

static uint64_t hash_of_body(const struct bodies *bodies, size_t i)
{
    uint64_t words[6], hash = 0;
    memcpy(words, bodies->position[i], sizeof *bodies->position);
    memcpy(words + 3, bodies->velocity[i], sizeof *bodies->velocity);
    for (size_t w = 0; w < 6; w++)
        hash = (hash ^ words[w]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
    return hash;
}

/* Refuses a body that two streams have: a run on fewer ranks leaves the streams of an earlier run
 * on more. */
static enum status check_streams(const struct receiver *receiver, const struct bodies *bodies)
{
    struct ids seen = {0};
    size_t *body = memory_new(bodies->count, sizeof *body);
    enum status status = ids_open(&seen, bodies->count);
    for (size_t i = 0; i < bodies->count && status == STATUS_OK; i++) {
        const uint64_t hash = hash_of_body(bodies, i);
        const size_t place = ids_find(&seen, hash, SIZE_MAX);
        if (place == SIZE_MAX) {
            body[seen.count] = i;
            status = ids_add(&seen, hash);
        } else if (is_same_body(bodies, body[place], i) &&
                   source_of(receiver, body[place]) != source_of(receiver, i)) {
            status =
                status_fail(STATUS_USAGE,
                            "%s and %s have a body with the same position and velocity in "
                            "frame 0; delete the streams of an earlier run",
                            source_of(receiver, body[place])->name, source_of(receiver, i)->name);
        }
    }
    ids_close(&seen);
    free(body);
    return status;
}

static enum status read_bodies(struct receiver *receiver, struct bodies **out, bool *ended)
{
    const struct frame *frame = &receiver->sources[0].frame;
    unsigned has = 0;
    size_t total = 0;
    for (size_t s = 0; s < receiver->source_count; s++)
        total += (size_t)receiver->sources[s].frame.bodies;
    if (total > BODY_ROWS_MAX)
        return refuse(receiver, "has %zu bodies, and at most %llu are possible", total,
                      (unsigned long long)BODY_ROWS_MAX);
    enum status status = bodies_create(out, total, frame->part_count > 0 ? frame->part_count : 1);
    if (status == STATUS_OK)
        status = name_parts(receiver, frame, *out);
    total = 0;
    for (size_t s = 0; s < receiver->source_count && status == STATUS_OK && !*ended; s++) {
        choose(receiver, &receiver->sources[s]);
        status = read_share(receiver, &receiver->sources[s].frame, *out, total, &has, ended);
        total += (size_t)receiver->sources[s].frame.bodies;
    }
    if (status == STATUS_OK && !*ended && receiver->source_count > 1 && !receiver->first)
        status = check_streams(receiver, *out);
    if (status != STATUS_OK || *ended)
        return status;
    return complete(receiver, *out, has);
}

/* ---- the snapshots ---- */

static char *frame_path(const struct receiver *receiver, uint64_t number)
{
    return text_format("%s/frame_%06llu.hdf5", receiver->folder, (unsigned long long)number);
}

static bool is_frame(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    int end = 0;
    return sscanf(name, "frame_%*[0-9].hdf5%n", &end) == 0 && end > 0 && !name[end];
}

/* Finds the frames in the folder. The caller frees *out and the names. */
static size_t find_frames(const char *folder, char ***out)
{
    char *pattern = text_format("%s/frame_*.hdf5", folder);
    const size_t found = file_matches(pattern, out);
    size_t count = 0;
    free(pattern);
    for (size_t f = 0; f < found; f++)
        if (is_frame((*out)[f]))
            (*out)[count++] = (*out)[f];
        else
            free((*out)[f]);
    return count;
}

/* Puts the complete frame in its place. The first removes the frames of an earlier stream, so that
 * they do not join those of this one. */
static enum status place_frame(const struct receiver *receiver, const char *from, const char *to)
{
    char **old = NULL;
    const size_t count = receiver->number == 0 ? find_frames(receiver->folder, &old) : 0;
    enum status status = STATUS_OK;
    for (size_t f = count; f-- > 0;) {
        if (status == STATUS_OK && unlink(old[f]) != 0)
            status = status_fail(STATUS_IO, "cannot remove '%s': %s", old[f], strerror(errno));
        free(old[f]);
    }
    free(old);
    if (status == STATUS_OK && rename(from, to) != 0)
        status = status_cannot_write(to, errno);
    return status;
}

static enum status write_frame(void *user)
{
    struct writing *writing = user;
    const struct snapshot *snapshot = &writing->snapshot;
    const enum status status =
        bodies_check(snapshot->bodies, 0, snapshot->bodies->count, 0, writing->what);
    return status == STATUS_OK ? snapshot->format->write(writing->path, snapshot) : status;
}

static enum status wait_written(struct receiver *receiver, struct writing *writing)
{
    const enum status status = writing->worker ? worker_wait(writing->worker) : STATUS_OK;
    if (status != STATUS_OK && receiver->failure.status == STATUS_OK)
        receiver->refused = writing->number;
    failure_keep(&receiver->failure, status);
    snapshot_free(&writing->snapshot);
    free(writing->what);
    free(writing->path);
    writing->what = writing->path = NULL;
    return status;
}

/* Writes the first frame, which stays, and whose errors are a beginner's. */
static enum status write_first(struct receiver *receiver, struct writing *writing)
{
    char *to = frame_path(receiver, 0);
    enum status status = write_frame(writing);
    if (status == STATUS_OK)
        status = place_frame(receiver, writing->path, to);
    else
        (void)unlink(writing->path);
    free(to);
    return status;
}

/* Takes the frame, and begins to write it unless its file is `kept`. */
static enum status take_frame(struct receiver *receiver, struct snapshot *snapshot, bool kept)
{
    const uint64_t number = receiver->number;
    struct writing *writing = &receiver->writing[number % WRITERS];
    enum status status = wait_written(receiver, writing);
    writing->number = number;
    writing->path = number > 0 ? frame_path(receiver, number)
                               : text_format("%s/incoming.hdf5", receiver->folder);
    writing->what = text_format("frame %llu of %s", (unsigned long long)number, receiver->title);
    writing->snapshot = *snapshot;
    writing->snapshot.format = format_of_extension(writing->path);
    *snapshot = (struct snapshot){0};
    if (status == STATUS_OK && !kept && number == 0) {
        status = write_first(receiver, writing);
    } else if (status == STATUS_OK && !kept) {
        if (!writing->worker)
            writing->worker = worker_open(write_frame, writing, true);
        worker_begin(writing->worker);
    }
    receiver->before = writing->snapshot.time;
    if (status == STATUS_OK && number == 0) {
        receiver->first = writing->snapshot.bodies;
        writing->snapshot.bodies = NULL;
    } else if (status == STATUS_OK && writing->snapshot.bodies->count > WRITTEN_BESIDE_MOST) {
        status = wait_written(receiver, writing);
    }
    receiver->number += status == STATUS_OK;
    return status;
}

/* Waits for the frames being written, in their order. Returns the failure of the earliest frame;
 * `status` is that of the last one. */
static enum status end_writing(struct receiver *receiver, enum status status)
{
    struct failure last = {0};
    failure_keep(&last, status);
    for (uint64_t k = 0; k < WRITERS; k++) {
        struct writing *writing = &receiver->writing[(receiver->number + k) % WRITERS];
        (void)wait_written(receiver, writing);
        worker_close(&writing->worker);
    }
    if (receiver->failure.status != STATUS_OK) {
        for (uint64_t n = receiver->refused; n <= receiver->number; n++) {
            char *path = frame_path(receiver, n);
            (void)unlink(path);
            free(path);
        }
        receiver->number = receiver->refused;
    }
    return failure_report(receiver->failure.status != STATUS_OK ? &receiver->failure : &last);
}

static bool has_same_arrays(const struct frame *a, const struct frame *b)
{
    bool same = a->array_count == b->array_count;
    for (size_t i = 0; same && i < a->array_count; i++)
        same = strcmp(a->arrays[i].text, b->arrays[i].text) == 0;
    return same;
}

static enum status check_time(const struct receiver *receiver, double time)
{
    if (receiver->number > 0 && !(time > receiver->before))
        return refuse(receiver, "has time %g, but frame %llu has time %g; times must increase",
                      time, (unsigned long long)receiver->number - 1, receiver->before);
    return STATUS_OK;
}

/* Checks that the line has what a frame needs, and agrees with that of the first source. */
static enum status check_frame(const struct receiver *receiver, const struct frame *frame)
{
    const struct source *first = &receiver->sources[0];
    if (frame->bytes > 0 ? isfinite(frame->time) || frame->bodies > 0 || frame->array_count > 0 ||
                               frame->part_count > 0
                         : !isfinite(frame->time) || frame->bodies == 0)
        return refuse(receiver,
                      "has the line %.100s; a line has time, bodies and arrays, or only "
                      "the bytes of a file",
                      receiver->line);
    if (receiver->source_count > 1 && frame->bytes > 0)
        return refuse(receiver, "is a file, which several streams cannot have; write its arrays");
    if (receiver->source_count > 1 && frame->part_count > 0)
        return refuse(receiver, "has components, which several streams cannot have; give bodies a "
                                "column instead");
    if (frame->bytes > 0)
        return STATUS_OK;
    if (frame->time != first->frame.time || !has_same_arrays(frame, &first->frame))
        return refuse(receiver,
                      "differs in time or arrays from that of %s; give all streams the same "
                      "frames, each with bodies of its own",
                      first->name);
    return check_time(receiver, frame->time);
}

/* *ended: the source has no further frame, or ends within the line of one. */
static enum status read_frame(struct receiver *receiver, struct source *source, bool *ended)
{
    static const struct json_form form = {.members = frame_members};
    char what[48];
    choose(receiver, source);
    json_free(frame_members, &source->frame);
    source->frame = (struct frame){0};
    enum status status = read_line(receiver, ended);
    if (status != STATUS_OK || *ended)
        return status;
    snprintf(what, sizeof what, "the line of frame %llu", (unsigned long long)receiver->number);
    status = parse(receiver, &form, &source->frame, what);
    return status == STATUS_OK ? check_frame(receiver, &source->frame) : status;
}

/* ---- the files ---- */

/* Copies the bytes of a file; *ended: the stream ends before the last, and nothing is left. */
static enum status copy_file(const struct receiver *receiver, uint64_t bytes, const char *path,
                             bool *ended)
{
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    char piece[PIECE];
    for (uint64_t done = 0; done < bytes && status == STATUS_OK && !*ended;) {
        const size_t now = bytes - done < sizeof piece ? (size_t)(bytes - done) : sizeof piece;
        *ended = fread(piece, 1, now, receiver->stream) != now;
        body_output_put(output, piece, now);
        done += now;
    }
    if (status == STATUS_OK)
        status = check_stream(receiver);
    status = body_output_close(&output, *ended && status == STATUS_OK ? STATUS_STOPPED : status);
    return status == STATUS_STOPPED ? STATUS_OK : status;
}

/* Names the frame in a sentence about its file. */
static enum status name_frame(const struct receiver *receiver, const char *path, enum status status)
{
    const char *text = status_text(), *found = strstr(text, path);
    if (found != text)
        return status_prefix(status, "frame %llu of %s", (unsigned long long)receiver->number,
                             receiver->name);
    return status_fail(status, "frame %llu of %s%s", (unsigned long long)receiver->number,
                       receiver->name, text + strlen(path));
}

static enum status read_copy(const struct receiver *receiver, const char *path,
                             struct snapshot *out)
{
    const struct format *format;
    const enum log_level level = log_get_level();
    enum status status = format_of_file(path, NULL, &format);
    if (status == STATUS_OK && !(format->keeps & KEEPS_TIME))
        return refuse(receiver, "is not an .npz archive, HDF5, or a format of docs/files.md that "
                                "stores a time");
    if (receiver->number > 0)
        log_set_level(LOG_ERROR); /* what is not read is said once */
    if (status == STATUS_OK)
        status = format_read(path, format, out);
    log_set_level(level);
    if (status != STATUS_OK)
        return name_frame(receiver, path, status);
    snapshot_sort(out);
    return STATUS_OK;
}

static enum status check_copy(const struct receiver *receiver, struct snapshot *snapshot)
{
    struct bodies *bodies = snapshot->bodies;
    if (!snapshot->time_known)
        return refuse(receiver, "has no time; give its file an array time, as in "
                                "numpy.savez(file, time=t, pos=x, vel=v, mass=m)");
    if (receiver->units.length_cm > 0 && snapshot->units.length_cm > 0)
        return refuse(receiver, "has units of its own; leave \"units\" out of the first line");
    const enum status status = check_time(receiver, snapshot->time);
    return status == STATUS_OK ? complete(receiver, bodies,
                                          HAS_MASS | HAS_POS | HAS_VEL | (bodies->id ? HAS_ID : 0))
                               : status;
}

/* Receives a frame that is a file: a snapshot as anybody may have written it. HDF5 is `kept` as it
 * is, with all that it says of units and of an expanding universe; others are written as HDF5. */
static enum status receive_file(struct receiver *receiver, struct snapshot *out, bool *kept,
                                bool *ended)
{
    char *path = text_format("%s/incoming", receiver->folder);
    char *to = frame_path(receiver, receiver->number);
    enum status status = copy_file(receiver, receiver->sources[0].frame.bytes, path, ended);
    if (status == STATUS_OK && !*ended)
        status = read_copy(receiver, path, out);
    const bool identified = out->bodies && out->bodies->id;
    if (status == STATUS_OK && !*ended)
        status = check_copy(receiver, out);
    if (status == STATUS_OK && !*ended)
        *kept = receiver->units.length_cm == 0 && identified == (out->bodies->id != NULL) &&
                out->format == format_of_extension(to);
    if (receiver->units.length_cm > 0)
        out->units = receiver->units;
    if (*kept)
        status = place_frame(receiver, path, to);
    if (!*kept || status != STATUS_OK)
        (void)unlink(path);
    free(to);
    free(path);
    return status;
}

/* Receives a frame that is arrays. */
static enum status receive_arrays(struct receiver *receiver, struct snapshot *out, bool *ended)
{
    *out = (struct snapshot){
        .time = receiver->sources[0].frame.time, .time_known = true, .units = receiver->units};
    return read_bodies(receiver, &out->bodies, ended);
}

/* Whether a stream after the first, which has ended, has more. */
static bool others_go_on(const struct receiver *receiver)
{
    for (size_t s = 1; s < receiver->source_count; s++)
        if (getc(receiver->sources[s].stream) != EOF)
            return true;
    return false;
}

/* *ended: there is no further frame. */
static enum status receive(struct receiver *receiver, bool *ended)
{
    struct snapshot snapshot = {0};
    enum status status = STATUS_OK;
    bool begun = false, kept = false; /* an incomplete frame is left out */
    const struct source *last = NULL;
    for (size_t s = 0; s < receiver->source_count && status == STATUS_OK && !*ended; s++) {
        status = read_frame(receiver, &receiver->sources[s], ended);
        begun = begun || !*ended || receiver->line[0] != '\0';
        last = *ended && receiver->line[0] == '\0' ? &receiver->sources[s] : NULL;
    }
    if (status == STATUS_OK && !*ended)
        status = receiver->sources[0].frame.bytes > 0
                     ? receive_file(receiver, &snapshot, &kept, ended)
                     : receive_arrays(receiver, &snapshot, ended);
    if (status == STATUS_OK && last && (begun || others_go_on(receiver)))
        log_warning("%s ends before frame %llu, which another stream has and the film leaves out",
                    last->name, (unsigned long long)receiver->number);
    else if (status == STATUS_OK && *ended && begun)
        log_warning("%s ends within frame %llu, which is left out", receiver->name,
                    (unsigned long long)receiver->number);
    if (status == STATUS_OK && !*ended)
        status = take_frame(receiver, &snapshot, kept);
    snapshot_free(&snapshot);
    return status;
}

/* Frames of an earlier stream stay until the first of this one is complete. */
static enum status prepare(const char *folder, bool overwrite)
{
    char **old = NULL;
    enum status status = file_make_folder(folder);
    const size_t count = status == STATUS_OK ? find_frames(folder, &old) : 0;
    for (size_t f = 0; f < count; f++)
        free(old[f]);
    free(old);
    if (count > 0 && !overwrite)
        status = status_fail(STATUS_USAGE,
                             "'%s' has the frames of another stream; -y replaces them", folder);
    return status;
}

/* OUT.bodies; a sequence's name ends before the number. The caller frees it. */
static char *folder_of(const char *output)
{
    const size_t number = strcspn(output, "%#");
    size_t length = number;
    while (output[number] && length > 0 && strchr("/._-", output[length - 1]))
        length--;
    return text_format("%.*s.bodies", (int)length, output);
}

/* When the source was last written to; INFINITY unless it is a file. */
static double written_at(const struct source *source)
{
    struct stat info;
    if (fstat(fileno(source->stream), &info) != 0 || !S_ISREG(info.st_mode))
        return INFINITY;
    return (double)info.st_mtim.tv_sec + 1e-9 * (double)info.st_mtim.tv_nsec;
}

/* Refuses a stream that ended before another one was begun, because ranks of one run write at the
 * same time. Clocks of file systems are coarse. */
static enum status check_ages(const struct receiver *receiver)
{
    const double coarse = 1;
    const struct source *newest = receiver->sources;
    for (size_t s = 1; s < receiver->source_count; s++)
        if (isfinite(receiver->sources[s].begun) && !(receiver->sources[s].begun <= newest->begun))
            newest = &receiver->sources[s];
    for (size_t s = 0; s < receiver->source_count; s++)
        if (&receiver->sources[s] != newest &&
            written_at(&receiver->sources[s]) + coarse < newest->begun)
            return status_fail(STATUS_USAGE,
                               "%s was last written before %s was begun; delete the streams of an "
                               "earlier run, or `touch` all streams if they are of one run",
                               receiver->sources[s].name, newest->name);
    return STATUS_OK;
}

/* Reads the first line of each stream. */
static enum status read_heads(struct receiver *receiver)
{
    const struct source *first = receiver->sources;
    enum status status = STATUS_OK;
    for (size_t s = 0; s < receiver->source_count && status == STATUS_OK; s++)
        status = read_head(receiver, &receiver->sources[s]);
    for (size_t s = 1; s < receiver->source_count && status == STATUS_OK; s++)
        if (memcmp(&receiver->sources[s].units, &first->units, sizeof first->units) != 0)
            status = status_fail(STATUS_USAGE,
                                 "%s and %s have different units; give all streams the same",
                                 first->name, receiver->sources[s].name);
    receiver->units = first->units;
    return status == STATUS_OK && receiver->source_count > 1 ? check_ages(receiver) : status;
}

/* Says what becomes of the frames before one that is refused. */
static enum status explain_refusal(const struct receiver *receiver, enum status status)
{
    char *reason = memory_text(status_text());
    const unsigned long long last = receiver->number - 1;
    log_warning("%s; the film is made of frames 0 to %llu", reason, last);
    status = status_fail(status, "%s; the film is made of frames 0 to %llu", reason, last);
    free(reason);
    return status;
}

static enum status receive_all(struct receiver *receiver, const volatile sig_atomic_t *stop)
{
    bool ended = false;
    enum status status = read_heads(receiver);
    while (status == STATUS_OK && !ended && !stop_asked(stop)) {
        status = receive(receiver, &ended);
        if (status == STATUS_OK && receiver->number == 1 && receiver->source_count > 1 && !ended)
            log_info("%s: %zu streams, %zu bodies", receiver->title, receiver->source_count,
                     receiver->first->count);
    }
    if (stop_asked(stop)) {
        status = STATUS_OK; /* the signal has interrupted a read */
        log_info("stopped: the film has the frames so far");
    }
    status = end_writing(receiver, status);
    if (status == STATUS_OK && receiver->number < 2)
        return status_fail(STATUS_USAGE, "%s has %llu complete frame%s; a film needs at least two",
                           receiver->title, (unsigned long long)receiver->number,
                           receiver->number == 1 ? "" : "s");
    if (status != STATUS_OK && receiver->number >= 2)
        status = explain_refusal(receiver, status);
    if (status == STATUS_OK || receiver->number >= 2)
        log_info("%llu frames of %s are kept in '%s'", (unsigned long long)receiver->number,
                 receiver->title, receiver->folder);
    return status;
}

/* A library that sends frames has a socket as its stream, and a user who knows only the film. */
static char *name_standard(const char *output)
{
    struct stat info;
    const bool piped = fstat(STDIN_FILENO, &info) != 0 || !S_ISSOCK(info.st_mode);
    return piped ? memory_text("standard input") : text_format("'%s'", output);
}

/* Tells the user of a program that has ended, and cannot tell it, that its film is being made. */
static void tell_alone(const struct receiver *receiver, const char *output)
{
    const char *number = getenv("GRAVREEL_STDERR"); /* set by libgravreel */
    struct pollfd stream = {.fd = STDIN_FILENO, .events = POLLRDHUP};
    const int patience_ms = 1000; /* after Ctrl-C, which both programs receive */
    if (number && receiver->sources[0].stream == stdin && log_get_level() >= LOG_INFO &&
        poll(&stream, 1, patience_ms) == 1 && stream.revents & POLLHUP)
        dprintf(atoi(number), "gravreel: %llu frames received; making '%s'\n",
                (unsigned long long)receiver->number, output);
}

/* Standard input, the file, or the files of a pattern. */
static void find_sources(struct receiver *receiver, const char *from, const char *output)
{
    char **paths = NULL;
    const bool standard = file_is_standard(from);
    const size_t found = standard ? 0 : file_matches(from, &paths);
    receiver->sources = memory_new(found + 1, sizeof *receiver->sources);
    receiver->source_count = found > 0 ? found : 1;
    for (size_t s = 0; s < receiver->source_count; s++) {
        struct source *source = &receiver->sources[s];
        source->path = standard ? NULL : found ? paths[s] : memory_text(from);
        source->name = standard ? name_standard(output) : text_format("'%s'", source->path);
    }
    receiver->title = found > 1 ? text_format("%s to %s", receiver->sources[0].name,
                                              receiver->sources[found - 1].name)
                                : memory_text(receiver->sources[0].name);
    free(paths);
}

static enum status open_sources(struct receiver *receiver)
{
    for (size_t s = 0; s < receiver->source_count; s++) {
        struct source *source = &receiver->sources[s];
        const int descriptor = source->path ? file_open_to_read(source->path) : -1;
        source->stream = !source->path ? stdin : descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
        if (!source->stream)
            return status_fail(STATUS_IO, "cannot open %s: %s", source->name, strerror(errno));
    }
    return STATUS_OK;
}

static void close_sources(struct receiver *receiver)
{
    for (size_t s = 0; s < receiver->source_count; s++) {
        struct source *source = &receiver->sources[s];
        if (source->stream && source->stream != stdin)
            fclose(source->stream);
        else if (source->stream) /* a program that goes on writing has to learn that it is over */
            (void)!freopen("/dev/null", "r", stdin);
        json_free(frame_members, &source->frame);
        free(source->name);
        free(source->path);
    }
    free(receiver->sources);
    free(receiver->title);
}

enum status frames_receive(const char *from, const char *output, bool overwrite,
                           const volatile sig_atomic_t *stop, char **pattern, uint64_t *count)
{
    *pattern = NULL;
    char *folder = folder_of(output);
    struct receiver receiver = {.folder = folder, .line = memory_new(LINE_MOST + 1, 1)};
    enum status status = STATUS_OK;
    if (file_is_special(output) || strpbrk(folder, "*?[") || folder[0] == '.')
        status = status_fail(STATUS_USAGE,
                             "--frames-from keeps the frames in a folder that is named after the "
                             "film, but the film is '%s'; give it a name of its own, without * ? [",
                             output);
    find_sources(&receiver, from,
                 output); /* before the folder exists, whose name a pattern may match */
    if (status == STATUS_OK)
        status = prepare(folder, overwrite);
    if (status == STATUS_OK)
        status = open_sources(&receiver);
    if (status == STATUS_OK)
        status = receive_all(&receiver, stop);
    if (receiver.number >= 2)
        tell_alone(&receiver, output);
    close_sources(&receiver);
    if (status == STATUS_OK || receiver.number >= 2)
        *pattern = text_format("%s/frame_*.hdf5", folder);
    else if (receiver.number == 0)
        rmdir(folder); /* unless it has files */
    *count = receiver.number;
    bodies_destroy(&receiver.first);
    free(receiver.line);
    free(folder);
    return status;
}
