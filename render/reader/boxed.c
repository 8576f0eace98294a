#include "render/reader/played.h"

#include "base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 8, ENTRIES_MAX = 4096 };

struct walk {
    FILE *file;
    struct boxed *out;
    const char *kind;                    /* of the track: "pictures", "sound", "track" */
    bool off;                            /* the track is switched off */
    double volume;                       /* of the track */
    uint64_t crop[4];                    /* Matroska's, of the track: bottom, top, left, right */
    double shown[2], coded[2], pixel[2]; /* sizes of the track, and of a pixel; 0: unknown */
};

static bool read_at(const struct walk *walk, uint64_t at, uint8_t *to, size_t size)
{
    return fseeko(walk->file, (off_t)at, SEEK_SET) == 0 && fread(to, 1, size, walk->file) == size;
}

static uint64_t number(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static double fixed(const uint8_t *bytes, size_t count)
{
    return (double)number(bytes, count) / (count == 4 ? 65536 : 256);
}

static void begin_track(struct walk *walk)
{
    walk->kind = "track";
    walk->off = false;
    walk->volume = 1;
    memset(walk->crop, 0, sizeof walk->crop);
    for (int i = 0; i < 2; i++) {
        walk->shown[i] = walk->coded[i] = 0;
        walk->pixel[i] = 1;
    }
}

static void tell_speed(struct walk *walk, double speed)
{
    if (speed != 1)
        snprintf(walk->out->speed, sizeof walk->out->speed, "%.6g", speed);
}

static void tell_volume(struct walk *walk, double volume)
{
    if (volume != 1)
        snprintf(walk->out->volume, sizeof walk->out->volume, "%.6g", volume);
}

/* Muxers stretch the coded size by the pixel's, in width or in height. */
static void tell_shown(struct walk *walk)
{
    const double *shown = walk->shown, *coded = walk->coded, *pixel = walk->pixel;
    const bool known = shown[0] > 0 && shown[1] > 0 && coded[0] > 0 && coded[1] > 0,
               wide = fabs(shown[0] - coded[0] * pixel[0] / pixel[1]) <= 1 &&
                      fabs(shown[1] - coded[1]) <= 1,
               high = fabs(shown[0] - coded[0]) <= 1 &&
                      fabs(shown[1] - coded[1] * pixel[1] / pixel[0]) <= 1;
    if (known && !wide && !high && !*walk->out->crop)
        snprintf(walk->out->shown, sizeof walk->out->shown, "%.6gx%.6g", shown[0], shown[1]);
}

static void end_track(struct walk *walk)
{
    if (walk->off && strcmp(walk->kind, "track") != 0) /* chapters are in a track that is off */
        text_list(walk->out->off, sizeof walk->out->off, walk->kind);
    if (strcmp(walk->kind, "sound") == 0)
        tell_volume(walk, walk->volume);
    const uint64_t *crop = walk->crop;
    if (strcmp(walk->kind, "pictures") == 0)
        tell_shown(walk);
    if (strcmp(walk->kind, "pictures") == 0 && (crop[0] || crop[1] || crop[2] || crop[3]))
        snprintf(walk->out->crop, sizeof walk->out->crop,
                 "%u pixels from the left, %u right, %u top, %u bottom", (unsigned)crop[2],
                 (unsigned)crop[3], (unsigned)crop[1], (unsigned)crop[0]);
}

/* ---- MP4 and MOV ---- */

/* The rate and the volume of a movie header; flags, volume and size of a track header. The 64-bit
 * form has longer times. */
static void read_header(struct walk *walk, uint64_t at, bool track)
{
    uint8_t head[96];
    if (!read_at(walk, at, head, sizeof head))
        return;
    const bool longer = head[0] == 1;
    if (track) {
        walk->off = !(head[3] & 1);
        walk->volume = fixed(head + (longer ? 48 : 36), 2);
        for (int i = 0; i < 2; i++)
            walk->shown[i] = fixed(head + (longer ? 88 : 76) + 4 * i, 4);
    } else {
        tell_speed(walk, fixed(head + (longer ? 32 : 20), 4));
        tell_volume(walk, fixed(head + (longer ? 36 : 24), 2));
    }
}

/* The speeds of an edit list; one of 0 holds a picture. */
static void read_edits(struct walk *walk, uint64_t at)
{
    uint8_t head[8], entry[20];
    if (!read_at(walk, at, head, sizeof head))
        return;
    const size_t times = head[0] == 1 ? 16 : 8;
    uint64_t count = number(head + 4, 4);
    for (uint64_t i = 0; i < count && i < ENTRIES_MAX; i++)
        if (!read_at(walk, at + 8 + i * (times + 4), entry, times + 4))
            return;
        else
            tell_speed(walk, (int32_t)number(entry + times, 4) / 65536.0);
}

static void read_clean_aperture(struct walk *walk, uint64_t at)
{
    uint8_t box[32];
    double value[4];
    if (!read_at(walk, at, box, sizeof box))
        return;
    for (int i = 0; i < 4; i++)
        value[i] = (double)(int32_t)number(box + 8 * i, 4) / (double)number(box + 8 * i + 4, 4);
    snprintf(walk->out->crop, sizeof walk->out->crop,
             "%.6gx%.6g pixels, %+.6g %+.6g from the centre", value[0], value[1], value[2],
             value[3]);
}

/* The size in a sample entry of pictures. */
static void read_entry(struct walk *walk, uint64_t at)
{
    uint8_t entry[28];
    for (int i = 0; i < 2 && read_at(walk, at, entry, sizeof entry); i++)
        walk->coded[i] = (double)number(entry + 24 + 2 * i, 2);
}

static void read_pixel(struct walk *walk, uint64_t at)
{
    uint8_t box[8];
    const bool whole = read_at(walk, at, box, sizeof box) && number(box, 4) && number(box + 4, 4);
    for (int i = 0; i < 2 && whole; i++)
        walk->pixel[i] = (double)number(box + 4 * i, 4);
}

static bool is(const uint8_t *name, const char *wanted)
{
    return memcmp(name, wanted, 4) == 0;
}

static void read_handler(struct walk *walk, uint64_t at)
{
    uint8_t head[12];
    if (read_at(walk, at, head, sizeof head))
        walk->kind = is(head + 8, "vide") ? "pictures" : is(head + 8, "soun") ? "sound" : "track";
}

/* Returns how many bytes lie before the first child; -1: it has none. */
static int before_children(const struct walk *walk, const uint8_t *name, const char *within)
{
    static const char *const holders[] = {"moov", "trak", "mdia", "minf", "stbl", "edts"};
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (is(name, holders[i]))
            return 0;
    if (is(name, "stsd"))
        return 8;
    return strcmp(within, "stsd") == 0 && strcmp(walk->kind, "pictures") == 0 ? 78 : -1;
}

static void walk_boxes(struct walk *walk, uint64_t at, uint64_t end, const char *within, int depth)
{
    uint8_t head[16];
    for (uint64_t size, from; end - at >= 8 && read_at(walk, at, head, 8); at += size) {
        size = number(head, 4);
        from = at + 8;
        if (size == 1 && read_at(walk, at, head, 16)) {
            size = number(head + 8, 8);
            from = at + 16;
        }
        size = size == 0 ? end - at : size;
        if (size < from - at || size > end - at)
            return;
        const char name[5] = {(char)head[4], (char)head[5], (char)head[6], (char)head[7], 0};
        const int skip = before_children(walk, head + 4, within);
        if (is(head + 4, "trak"))
            begin_track(walk);
        if (skip >= 0 && depth < DEPTH_MAX && size >= from - at + (unsigned)skip)
            walk_boxes(walk, from + (unsigned)skip, at + size, name, depth + 1);
        else if (is(head + 4, "mvhd") || is(head + 4, "tkhd"))
            read_header(walk, from, is(head + 4, "tkhd"));
        else if (is(head + 4, "elst"))
            read_edits(walk, from);
        else if (is(head + 4, "hdlr") && strcmp(within, "mdia") == 0)
            read_handler(walk, from);
        else if (is(head + 4, "clap"))
            read_clean_aperture(walk, from);
        else if (is(head + 4, "pasp"))
            read_pixel(walk, from);
        if (strcmp(within, "stsd") == 0 && strcmp(walk->kind, "pictures") == 0)
            read_entry(walk, from);
        if (is(head + 4, "trak"))
            end_track(walk);
    }
}

/* ---- Matroska and WebM ---- */

/* Reads an identifier with its length bits, or a size without; returns its bytes, 0: none. */
static size_t read_vint(const struct walk *walk, uint64_t at, bool keep, uint64_t *value)
{
    uint8_t bytes[8];
    size_t length = 1;
    if (!read_at(walk, at, bytes, 1) || bytes[0] == 0)
        return 0;
    while (!(bytes[0] & (0x80 >> (length - 1))))
        length++;
    if (length > 1 && !read_at(walk, at, bytes, length))
        return 0;
    *value = number(bytes, length);
    const uint64_t most = ((uint64_t)1 << (7 * length)) - 1;
    if (!keep)
        *value = (*value & most) == most ? UINT64_MAX : *value & most; /* all ones: unknown */
    return length;
}

static uint64_t read_value(const struct walk *walk, uint64_t at, uint64_t size)
{
    uint8_t bytes[8];
    return size <= sizeof bytes && read_at(walk, at, bytes, (size_t)size)
               ? number(bytes, (size_t)size)
               : 0;
}

static void take_element(struct walk *walk, uint64_t id, uint64_t value)
{
    static const uint64_t crops[] = {0x54AA, 0x54BB, 0x54CC, 0x54DD};
    if (id == 0x83)
        walk->kind = value == 1 ? "pictures" : value == 2 ? "sound" : "track";
    else if (id == 0xB9)
        walk->off = value == 0;
    for (size_t i = 0; i < sizeof crops / sizeof *crops; i++)
        if (id == crops[i])
            walk->crop[i] = value;
}

static void walk_elements(struct walk *walk, uint64_t at, uint64_t end, int depth)
{
    enum {
        SEGMENT = 0x18538067,
        TRACKS = 0x1654AE6B,
        TRACK = 0xAE,
        VIDEO = 0xE0,
        CLUSTER = 0x1F43B675
    };
    uint64_t id, size;
    while (at < end) {
        const size_t named = read_vint(walk, at, true, &id),
                     sized = named ? read_vint(walk, at + named, false, &size) : 0;
        if (!sized || id == CLUSTER)
            return;
        const uint64_t from = at + named + sized;
        if (from > end)
            return;
        size = size > end - from ? end - from : size;
        if (id == TRACK)
            begin_track(walk);
        if ((id == SEGMENT || id == TRACKS || id == TRACK || id == VIDEO) && depth < DEPTH_MAX)
            walk_elements(walk, from, from + size, depth + 1);
        else
            take_element(walk, id, read_value(walk, from, size));
        if (id == TRACK)
            end_track(walk);
        at = from + size;
    }
}

/* ---- GIF ---- */

/* Reads how often to repeat, which the first extension says after the header and its palette. */
static void read_loop(struct walk *walk)
{
    uint8_t head[13], block[19];
    if (!read_at(walk, 0, head, sizeof head))
        return;
    const uint64_t at = sizeof head + (head[10] & 0x80 ? 3u << ((head[10] & 7) + 1) : 0);
    const bool told = read_at(walk, at, block, sizeof block) && block[0] == 0x21 &&
                      block[1] == 0xFF && memcmp(block + 3, "NETSCAPE2.0", 11) == 0;
    const unsigned times = told ? block[16] | (unsigned)block[17] << 8 : 1;
    snprintf(walk->out->loop, sizeof walk->out->loop,
             !told        ? "once"
             : times == 0 ? "forever"
                          : "%u times more",
             times);
}

void boxed_read(const char *path, struct boxed *out)
{
    uint8_t head[8];
    *out = (struct boxed){0};
    struct walk walk = {.file = fopen(path, "rb"), .out = out, .volume = 1};
    if (!walk.file)
        return;
    fseeko(walk.file, 0, SEEK_END);
    const off_t size = ftello(walk.file);
    if (size > 0 && read_at(&walk, 0, head, sizeof head)) {
        if (is(head + 4, "ftyp"))
            walk_boxes(&walk, 0, (uint64_t)size, "", 0);
        else if (number(head, 4) == 0x1A45DFA3)
            walk_elements(&walk, 0, (uint64_t)size, 0);
        else if (is(head, "GIF8"))
            read_loop(&walk);
    }
    fclose(walk.file);
}
