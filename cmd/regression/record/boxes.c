#include "cmd/regression/record/readback.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, LONG_HEADER = 16, PIECE = 1 << 20, NAMED = 4, DEPTH_MAX = 8 };

struct walk {
    FILE *file;
    const char *path;
    struct record *record;
    uint8_t *piece;
    int depth;
};

void boxes_free(struct record *record)
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
    record->boxes =
        memory_grow(record->boxes, record->box_count + (size_t)1, sizeof *record->boxes);
    struct box_record *box = &record->boxes[record->box_count++];
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
