#include "cmd/regression/record/readback.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "render/video/picture_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static void take_container(const struct stream *stream, struct container_record *out)
{
    *out = (struct container_record){
        .format = memory_text(stream->format),
        .codec = memory_text(stream->codec),
        .profile = memory_text(stream->profile),
        .pixel_format = memory_text(stream->pixel_format),
        .range = memory_text(stream->range),
        .matrix = memory_text(stream->matrix),
        .transfer = memory_text(stream->transfer),
        .primaries = memory_text(stream->primaries),
        .chroma_site = memory_text(stream->chroma_site),
        .time_base = memory_text(stream->time_base),
        .pixel_aspect = memory_text(stream->aspect),
        .width = stream->width,
        .height = stream->height,
        .fps_num = stream->fps_num,
        .fps_den = stream->fps_den,
        .frames = stream->count,
        .bytes = stream->bytes,
        .hidden = stream->hidden,
        .duration = stream->duration,
        .shown = memory_new(stream->count, sizeof *out->shown),
    };
    for (size_t i = 0; i < stream->count; i++)
        out->shown[i] = stream->packets[i].shown;
    times_hash(out->shown, stream->count, out->times);
}

static void name_encoder(struct record *record, const char *encoder)
{
    char *before = record->platform.encoder;
    if (!*encoder || (before && strstr(before, encoder)))
        return;
    record->platform.encoder = text_format("%s, %s", before ? before : "", encoder);
    free(before);
}

enum status readback_film(const char *path, struct record *record)
{
    struct stream stream;
    enum status status = stream_read(path, &stream);
    if (status != STATUS_OK)
        return status;
    take_container(&stream, &record->container);
    name_encoder(record, stream.encoder);
    for (uint64_t i = 0; i < stream.count && i < record->count; i++) {
        const struct stream_packet *packet = &stream.packets[i];
        struct frame_record *frame = &record->frames[i];
        memcpy(frame->packet, packet->hash, sizeof frame->packet);
        frame->packet_bytes = packet->bytes;
        frame->key = packet->key;
    }
    stream_free(&stream);
    return STATUS_OK;
}

enum status readback_sequence(const char *path, uint64_t bytes, struct record *record)
{
    struct reader *reader;
    enum status status = reader_open(&reader, path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    record->container = (struct container_record){
        .format = memory_text(info->file->name),
        .codec = memory_text(info->file->name),
        .pixel_format = memory_text(info->pixel_format),
        .width = info->width,
        .height = info->height,
        .frames = record->count,
        .bytes = bytes,
        .duration = NAN,
    };
    reader_close(&reader);
    return STATUS_OK;
}

/* Buffers for one decoded frame: RGB and its components. */
struct room {
    uint16_t *rgb, *component[3];
};

static enum status make_room(struct room *room, size_t pixels)
{
    room->rgb = malloc(6 * pixels * sizeof *room->rgb);
    if (!room->rgb)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for a picture of %zu pixels, which takes %zu bytes",
                           pixels, 6 * pixels * sizeof *room->rgb);
    for (size_t c = 0; c < 3; c++)
        room->component[c] = room->rgb + (3 + c) * pixels;
    return STATUS_OK;
}

/* Returns the frame that the reader has just read. */
static struct decoded decoded_of(struct reader *reader, enum picture_format format,
                                 const struct room *room)
{
    const struct reader_info *info = reader_info(reader);
    struct decoded decoded = {.bits = info->bits};
    if (picture_format_is_rgb(format))
        decoded.component[0] = (struct decoded_component){room->rgb, info->width, info->height};
    for (int c = 0; c < 3 && !picture_format_is_rgb(format); c++) {
        struct decoded_component *to = &decoded.component[c];
        if (reader_samples(reader, c, room->component[c], &to->width, &to->height))
            to->samples = room->component[c];
    }
    return decoded;
}

struct reading {
    struct reader *reader;
    const struct kept_pictures *kept;
    const struct record_hooks *hooks;
    struct record *record;
    struct room room;
    uint64_t first, frames; /* of the reader; a folder may have files of other runs */
};

static void forget(struct frame_record *frame)
{
    frame->decoded[0] = '\0';
    loss_take(frame, NULL);
}

/* Records the frame just read as the encoded form of picture i. */
static void measure(const struct reading *reading, uint64_t i, const struct decoded *decoded)
{
    const struct reader_info *info = reader_info(reading->reader);
    const size_t samples = 3 * (size_t)info->width * info->height;
    struct frame_record *frame = &reading->record->frames[i];
    hash_parts(&(struct hash_part){reading->room.rgb, samples * sizeof *reading->room.rgb}, 1,
               frame->decoded);
    if (reading->kept->data[i])
        loss_measure(&reading->kept->layout, reading->kept->data[i], decoded, frame);
}

/* Compares every frame with the picture of the same number. */
static enum status read_in_place(const struct reading *reading)
{
    const uint64_t count = reading->record->count;
    struct film_order *order = film_order_open(reading->kept, count, reading->frames);
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < reading->frames && status == STATUS_OK; i++) {
        status = reader_read(reading->reader, reading->first + i, reading->room.rgb);
        if (status != STATUS_OK)
            break;
        const struct decoded decoded =
            decoded_of(reading->reader, reading->kept->layout.format, &reading->room);
        film_order_add(order, &decoded);
        if (i < count)
            measure(reading, i, &decoded);
    }
    if (status == STATUS_OK)
        film_order_end(order, reading->frames, reading->record);
    film_order_close(&order);
    return status;
}

static uint64_t first_astray(const struct record *record)
{
    uint64_t i = 0;
    while (i < record->shown && i < record->count && record->shows[i] == record->frames[i].frame)
        i++;
    return i;
}

static enum status show_astray(const struct reading *reading, uint64_t i, bool is_there)
{
    const struct record_hooks *hooks = reading->hooks;
    const struct picture drawn = {.layout = reading->kept->layout,
                                  .data = reading->kept->data[i],
                                  .frame = reading->record->frames[i].frame};
    const struct reader_info *info = reader_info(reading->reader);
    return drawn.data ? hooks->astray(hooks->user, &drawn, is_there ? reading->room.rgb : NULL,
                                      info->width, info->height)
                      : STATUS_OK;
}

/* Reads the film once more, and compares every frame with the picture that it shows. */
static enum status read_in_order(const struct reading *reading)
{
    struct record *record = reading->record;
    const uint64_t astray = first_astray(record), from = astray < 2 ? 0 : astray - 2;
    const bool seen = reading->hooks && reading->hooks->astray;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < record->count; i++)
        forget(&record->frames[i]);
    for (uint64_t i = 0; i < reading->frames && status == STATUS_OK; i++) {
        const struct frame_record *shows = record_frame(record, record->shows[i]);
        status = reader_read(reading->reader, reading->first + i, reading->room.rgb);
        if (status != STATUS_OK)
            break;
        if (seen && i >= from && i < from + RECORD_ASTRAY_MAX && i < record->count)
            status = show_astray(reading, i, true);
        if (!shows || *shows->decoded)
            continue;
        const struct decoded decoded =
            decoded_of(reading->reader, reading->kept->layout.format, &reading->room);
        measure(reading, (uint64_t)(shows - record->frames), &decoded);
    }
    for (uint64_t i = reading->frames; seen && i < record->count && i < from + RECORD_ASTRAY_MAX &&
                                       i >= from && status == STATUS_OK;
         i++)
        status = show_astray(reading, i, false);
    return status;
}

/* Returns how many files belong to the sequence: it may have fewer files than pictures, and further
 * files from other runs. */
static uint64_t files_from(const struct reader_info *info, uint64_t first, uint64_t most)
{
    const uint64_t end = info->first + info->frames, there = end > first ? end - first : 0;
    return there < most ? there : most;
}

static enum status read_all(struct reading *reading, uint64_t *compared)
{
    const struct reader_info *info = reader_info(reading->reader);
    struct record *record = reading->record;
    reading->first = info->is_video ? 0 : record->frames[0].frame;
    reading->frames =
        info->is_video ? info->frames : files_from(info, reading->first, record->count);
    enum status status = make_room(&reading->room, (size_t)info->width * info->height);
    if (status == STATUS_OK)
        status = read_in_place(reading);
    if (status == STATUS_OK && record->shows)
        status = read_in_order(reading);
    for (uint64_t i = 0; i < record->count; i++)
        *compared += !isnan(record->frames[i].psnr_y);
    free(reading->room.rgb);
    return status;
}

enum status readback_pictures(const char *path, const struct kept_pictures *kept,
                              const struct record_hooks *hooks, struct record *record,
                              uint64_t *compared)
{
    struct reading reading = {.kept = kept, .hooks = hooks, .record = record};
    *compared = 0;
    enum status status = reader_open(&reading.reader, path);
    if (status == STATUS_OK)
        status = read_all(&reading, compared);
    reader_close(&reading.reader);
    return status;
}

/* ---- a film joined from segments ---- */

static enum status follow(const struct record *a, const struct record *b, const char *name_a,
                          const char *name_b)
{
    if (strcmp(a->scene_hash, b->scene_hash) != 0)
        return status_fail(STATUS_USAGE, "the manifests '%s' and '%s' are of different scenes",
                           name_a, name_b);
    const uint64_t next = a->frames[a->count - 1].frame + 1;
    if (b->frames[0].frame == next)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the manifest '%s' ends before frame %" PRIu64
                       ", and '%s' begins with frame "
                       "%" PRIu64,
                       name_a, next, name_b, b->frames[0].frame);
}

enum status joined_check(const struct record *parts, const char *const *names, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (parts[i].count == 0)
            status = status_fail(STATUS_USAGE, "the manifest '%s' holds no frames", names[i]);
        else if (i > 0)
            status = follow(&parts[i - 1], &parts[i], names[i - 1], names[i]);
    }
    return status;
}

/* Appends to a list: "cpu, AVX2; NVIDIA H200". */
static void list_also(char **text, const char *more)
{
    if (more && *more && !(*text && strstr(*text, more)))
        text_append(text, "; ", "%s", more);
}

static void list_makers(struct record *out, const struct record *part)
{
    list_also(&out->program, part->program);
    list_also(&out->commit, part->commit);
    list_also(&out->renderer_class, part->renderer_class);
    list_also(&out->device, part->device);
    list_also(&out->libraries, part->libraries);
    list_also(&out->encoding, part->encoding);
    list_also(&out->platform.start, part->platform.start);
    list_also(&out->platform.physics, part->platform.physics);
    list_also(&out->platform.drawing, part->platform.drawing);
    list_also(&out->platform.encoder, part->platform.encoder);
    list_also(&out->platform.muxer, part->platform.muxer);
}

/* Removes the container fields of the first segment's file, to be replaced by those of the film. */
static void forget_container(struct container_record *container)
{
#define FIELD(name, said, unsaid) free(container->name);
#include "cmd/regression/record/measures.def"
#undef FIELD
    free(container->shown);
    *container = (struct container_record){0};
}

/* Appends the frames that a part shows to those of the parts before it. */
static void join_shows(struct record *out, const struct record *part)
{
    const uint64_t before = record_shown(out), more = record_shown(part);
    if (!out->shows && !part->shows)
        return;
    uint64_t *shows = memory_new(before + more + 1, sizeof *shows);
    for (uint64_t i = 0; i < before; i++)
        shows[i] = record_shows(out, i);
    for (uint64_t i = 0; i < more; i++)
        shows[before + i] = record_shows(part, i);
    free(out->shows);
    out->shows = shows;
    out->shown = before + more;
}

enum status joined_record(struct record *parts, size_t count, const char *path, struct record *out)
{
    *out = parts[0];
    parts[0] = (struct record){0};
    for (size_t i = 1; i < count; i++) {
        const uint64_t frames = out->count + parts[i].count;
        join_shows(out, &parts[i]);
        out->frames = memory_grow(out->frames, (size_t)frames, sizeof *out->frames);
        memcpy(out->frames + out->count, parts[i].frames,
               (size_t)parts[i].count * sizeof *out->frames);
        out->count = frames;
        list_makers(out, &parts[i]);
    }
    forget_container(&out->container);
    const enum status status = readback_film(path, out);
    return status == STATUS_OK ? boxes_read(path, out) : status;
}

/* ---- boxes ---- */

enum { HEADER = 8, LONG_HEADER = 16, PIECE = 1 << 20, NAMED = 4, DEPTH_MAX = 8 };

struct walk {
    FILE *file;
    const char *path;
    struct record *record;
    uint8_t *piece;
    int depth;
};

static void boxes_free(struct record *record)
{
    for (uint32_t i = 0; i < record->box_count; i++)
        free(record->boxes[i].name);
    free(record->boxes);
    record->boxes = NULL;
    record->box_count = 0;
}

static enum status failed(const struct walk *walk)
{
    return status_fail(STATUS_IO, "cannot read '%s': %s", walk->path,
                       ferror(walk->file) ? strerror(errno) : "it ends within a box");
}

/* Adds the bytes from `from` to before `to` as a box. */
static enum status add(struct walk *walk, char *name, uint64_t from, uint64_t to)
{
    struct record *record = walk->record;
    struct box_record *box = MEMORY_ADD(record->boxes, record->box_count);
    *box = (struct box_record){.name = name};
    struct hash_stream *hash = hash_open();
    bool good = fseeko(walk->file, (off_t)from, SEEK_SET) == 0;
    while (good && from < to) {
        const size_t wanted = to - from < PIECE ? (size_t)(to - from) : PIECE;
        good = fread(walk->piece, 1, wanted, walk->file) == wanted;
        hash_add(hash, walk->piece, good ? wanted : 0);
        from += wanted;
    }
    hash_end(&hash, box->hash);
    return good ? STATUS_OK : failed(walk);
}

static uint64_t number(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

/* Returns the number of bytes of a container box before its first child; 0: the box has no
 * children. */
static uint64_t holds_from(const uint8_t *name, uint64_t header)
{
    static const char *const holders[] = {"moov", "trak", "mdia", "minf",
                                          "stbl", "edts", "dinf", "udta"};
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (memcmp(name, holders[i], 4) == 0)
            return header;
    return 0;
}

/* Makes the name of a box: "moov.trak#2" is the second of its name there. Unprintable names are
 * written as digits. */
static char *name_of(const struct walk *walk, const char *within, const uint8_t *name)
{
    char *plain = NULL;
    bool readable = true;
    for (int i = 0; i < 4; i++)
        readable = readable && name[i] > ' ' && name[i] < 0x7f && name[i] != '.' && name[i] != '#';
    plain = readable ? text_format("%s%s%.4s", within, *within ? "." : "", (const char *)name)
                     : text_format("%s%s%08llx", within, *within ? "." : "",
                                   (unsigned long long)number(name, 4));
    unsigned earlier = 0;
    const size_t length = strlen(plain);
    for (uint32_t i = 0; i < walk->record->box_count; i++) {
        const char *other = walk->record->boxes[i].name;
        earlier += strncmp(other, plain, length) == 0 && (!other[length] || other[length] == '#') &&
                   !strchr(other + length, '.');
    }
    char *counted = earlier ? text_format("%s#%u", plain, earlier + 1) : NULL;
    if (counted)
        free(plain);
    return counted ? counted : plain;
}

static enum status read_boxes(struct walk *walk, const char *within, uint64_t from, uint64_t end);

static enum status read_box(struct walk *walk, const char *within, uint64_t from, uint64_t end,
                            uint64_t *next)
{
    uint8_t head[LONG_HEADER];
    uint64_t header = HEADER;
    if (fseeko(walk->file, (off_t)from, SEEK_SET) != 0 ||
        fread(head, 1, HEADER, walk->file) != HEADER)
        return failed(walk);
    uint64_t size = number(head, 4);
    if (size == 1) {
        header = LONG_HEADER;
        if (fread(head + HEADER, 1, HEADER, walk->file) != HEADER)
            return failed(walk);
        size = number(head + HEADER, 8);
    }
    size = size == 0 ? end - from : size;
    *next = from + size;
    if (size < header || size > end - from) { /* bytes that are not a box become one entry */
        *next = end;
        return add(walk, text_format("%s%srest", within, *within ? "." : ""), from, end);
    }
    char *name = name_of(walk, within, head + 4);
    const uint64_t inside = walk->depth < DEPTH_MAX ? holds_from(head + 4, header) : 0;
    enum status status = add(walk, name, from, inside ? from + inside : from + size);
    if (status != STATUS_OK || !inside)
        return status;
    char *own = memory_text(name);
    walk->depth++;
    status = read_boxes(walk, own, from + inside, from + size);
    walk->depth--;
    free(own);
    return status;
}

static enum status read_boxes(struct walk *walk, const char *within, uint64_t from, uint64_t end)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && end - from >= HEADER)
        status = read_box(walk, within, from, end, &from);
    if (status == STATUS_OK && from < end)
        status = add(walk, text_format("%s%srest", within, *within ? "." : ""), from, end);
    return status;
}

static enum status read_file(struct walk *walk)
{
    uint8_t head[HEADER];
    if (fseeko(walk->file, 0, SEEK_END) != 0)
        return failed(walk);
    const off_t size = ftello(walk->file);
    rewind(walk->file);
    const bool boxes =
        fread(head, 1, HEADER, walk->file) == HEADER && memcmp(head + 4, "ftyp", 4) == 0;
    return boxes ? read_boxes(walk, "", 0, (uint64_t)size)
                 : add(walk, memory_text("file"), 0, (uint64_t)size);
}

enum status boxes_read(const char *path, struct record *record)
{
    struct walk walk = {.file = fopen(path, "rb"), .path = path, .record = record};
    boxes_free(record);
    if (!walk.file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    walk.piece = memory_new(PIECE, 1);
    const enum status status = read_file(&walk);
    free(walk.piece);
    fclose(walk.file);
    return status;
}

/* ---- comparing ---- */

static const struct box_record *find(const struct record *record, const char *name)
{
    for (uint32_t i = 0; i < record->box_count; i++)
        if (strcmp(record->boxes[i].name, name) == 0)
            return &record->boxes[i];
    return NULL;
}

static void tell(char **text, uint32_t told, const char *name, const char *how)
{
    if (told >= NAMED)
        return;
    const char *box = strcmp(name, "file") == 0 ? "" : "box ";
    text_append(text, ", ", "%s%s%s", box, name, how);
}

static bool holds_packets(const char *name)
{
    return strcmp(name, "file") == 0 || strcmp(name, "mdat") == 0 || strncmp(name, "mdat#", 5) == 0;
}

char *boxes_difference(const struct record *before, const struct record *now, bool packets,
                       uint32_t *count)
{
    char *text = NULL;
    *count = 0;
    for (uint32_t i = 0; i < before->box_count; i++) {
        const struct box_record *box = &before->boxes[i], *other = find(now, box->name);
        if (!packets && holds_packets(box->name))
            continue;
        if (!other)
            tell(&text, (*count)++, box->name, " (missing)");
        else if (strcmp(box->hash, other->hash) != 0)
            tell(&text, (*count)++, box->name, "");
    }
    for (uint32_t i = 0; i < now->box_count; i++)
        if (!find(before, now->boxes[i].name) && (packets || !holds_packets(now->boxes[i].name)))
            tell(&text, (*count)++, now->boxes[i].name, " (added)");
    if (*count > NAMED)
        text_append(&text, " and ", "%u more", *count - NAMED);
    return text;
}
