#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/picture/jpeg.h"
#include "render/video/picture_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A JPEG with the profile of sRGB (ICC.1, B.4) and the tags as comments of the form NAME=VALUE. A
 * segment has at most 65,533 bytes, so that a long value continues in comments NAME+=VALUE. The
 * seal is in a segment APP0 after JFIF's, which other programs leave out of what they save. */
enum { MARK = 2, PART = 65000, HEAD_MAX = 1 << 22, APP0 = 0xe0, APP2 = 0xe2, COM = 0xfe };

static const struct {
    const char *key;
    int least, most, usual;
} quality = {"quality=", 1, 100, 92};

static enum status find_quality(const char *options, int *found)
{
    const size_t length = strlen(quality.key);
    *found = quality.usual;
    if (!options || !*options)
        return STATUS_OK;
    char *end = NULL;
    const bool ours = strncmp(options, quality.key, length) == 0;
    const long number = ours ? strtol(options + length, &end, 10) : 0;
    if (!ours || *end || number < quality.least || number > quality.most)
        return status_fail(STATUS_USAGE,
                           "JPEG does not take the codec options '%s'; it knows %s%d to %d",
                           options, quality.key, quality.least, quality.most);
    *found = (int)number;
    return STATUS_OK;
}

static enum status jpg_plan(const struct sink_params *params, struct sink_plan *plan)
{
    int found;
    if (params->output.png_bits != 8)
        return status_fail(
            STATUS_USAGE,
            "JPEG has 8 bits per sample, but output.png_bits is %u; leave it out, or "
            "write tif, png or jxl",
            params->output.png_bits);
    if (params->alpha != ALPHA_NONE)
        return status_fail(STATUS_USAGE,
                           "JPEG cannot carry transparency (alpha); write png, tif or "
                           "jxl, or leave out output.alpha");
    enum status status = find_quality(params->output.codec_options, &found);
    plan->format = PICTURE_RGBA8;
    jpeg_library(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "JPEG quality %d", found);
    return status;
}

static void put_segment(FILE *file, int marker, const char *head, size_t head_size,
                        const void *data, size_t size)
{
    const size_t length = 2 + head_size + size;
    const uint8_t begin[] = {0xff, (uint8_t)marker, (uint8_t)(length >> 8), (uint8_t)length};
    fwrite(begin, 1, sizeof begin, file);
    fwrite(head, 1, head_size, file);
    fwrite(data, 1, size, file);
}

static void put_tag(FILE *file, const struct tag *tag)
{
    const char *from = tag->value;
    for (bool more = false; *from || !more; more = true) {
        const size_t left = strlen(from), size = left < PART ? left : PART;
        char *head = text_format("%s%s=", tag->name, more ? "+" : "");
        put_segment(file, COM, head, strlen(head), from, size);
        free(head);
        from += size;
    }
}

static enum status jpg_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    static const char profile[] = "ICC_PROFILE\0\1\1";
    const struct picture_layout *layout = &picture->layout;
    uint8_t *coded, icc[PICTURE_FILE_ICC];
    size_t coded_size, size;
    char *data;
    int found;
    *bytes = 0;
    enum status status = find_quality(params->output.codec_options, &found);
    if (status == STATUS_OK)
        status = jpeg_encode(picture->data + layout->plane[0].offset, layout->width, layout->height,
                             layout->plane[0].stride, found, &coded, &coded_size);
    if (status != STATUS_OK)
        return status;
    FILE *file = open_memstream(&data, &size);
    if (!file)
        memory_exhausted();
    /* JFIF's own segment must be the first. */
    const size_t begin = coded[3] == APP0 ? 2u * MARK + ((size_t)coded[4] << 8 | coded[5]) : MARK;
    fwrite(coded, 1, begin, file);
    put_segment(file, APP0, PICTURE_FILE_SEAL, strlen(PICTURE_FILE_SEAL), "", 0);
    picture_file_icc(icc);
    put_segment(file, APP2, profile, sizeof profile - 1, icc, sizeof icc);
    for (size_t i = 0; i < params->tags.count; i++)
        put_tag(file, &params->tags.list[i]);
    fwrite(coded + begin, 1, coded_size - begin, file);
    fclose(file);
    free(coded);
    picture_file_seal(data, size);
    status = picture_file_save(path, data, size, frames, bytes);
    free(data);
    return status;
}

static enum status jpg_read(const char *path, struct AVFrame **frame, uint32_t *bits)
{
    *bits = 8;
    return picture_file_decode(path, "mjpeg", "JPEG", true, frame);
}

/* Appends to the latest tag, whose value continues. */
static void continue_tag(struct tags *tags, const char *more)
{
    struct tag *last = &tags->list[tags->count - 1];
    char *value = text_format("%s%s", last->value, more);
    free((char *)last->value);
    last->value = value;
}

static enum status jpg_tags(const char *path, struct tags *out)
{
    uint8_t *data = memory_new(HEAD_MAX, 1);
    size_t size = 0;
    *out = (struct tags){0};
    enum status status = file_read_head(path, data, HEAD_MAX, &size);
    for (size_t at = MARK; at + 2 * MARK < size && data[at] == 0xff;) {
        const size_t length = (size_t)data[at + 2] << 8 | data[at + 3];
        if (length < 2 || length > size - at - MARK)
            break;
        char *text = text_format("%.*s", (int)length - 2, (const char *)data + at + 2 * MARK);
        char *equals = data[at + 1] == COM ? strchr(text, '=') : NULL;
        const bool more = equals > text && equals[-1] == '+';
        if (more && out->count > 0)
            continue_tag(out, equals + 1);
        else if (equals && !more)
            picture_file_tag(out, text);
        free(text);
        at += MARK + length;
    }
    free(data);
    tags_unpack(out);
    return status;
}

const struct picture_file picture_jpg = {
    .name = "jpg",
    .doc = "JPEG, 8 bits per channel, display values",
    .kind = "JPEG",
    .magic = "\xff\xd8\xff",
    .magic_size = 3,
    .plan = jpg_plan,
    .write = jpg_write,
    .read = jpg_read,
    .tags = jpg_tags,
};
