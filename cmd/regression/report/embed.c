#include "cmd/regression/report/embed.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 24, SIDE_MAX = 1 << 16 };

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Checks the first bytes before the file is read, so that a device or an unrelated file is never
 * read whole. */
static bool starts(const char *path, char head[HEADER])
{
    size_t got = 0;
    return path && file_read_head(path, head, HEADER, &got) == STATUS_OK && got == HEADER;
}

static bool read_as(struct embed *embed, const char *type, const char *path, size_t limit)
{
    if (file_read(path, limit, &embed->data, &embed->size) == STATUS_OK)
        embed->type = type;
    return embed->type != NULL;
}

bool embed_picture(struct embed *embed, const char *path, size_t limit)
{
    char head[HEADER];
    *embed = (struct embed){0};
    if (!starts(path, head) || memcmp(head, "\211PNG\r\n\032\n", 8) != 0 ||
        memcmp(head + 12, "IHDR", 4) != 0)
        return false;
    embed->width = big_endian(head + 16);
    embed->height = big_endian(head + 20);
    return embed->width > 0 && embed->height > 0 && embed->width < SIDE_MAX &&
           embed->height < SIDE_MAX && read_as(embed, "image/png", path, limit);
}

bool embed_film(struct embed *embed, const char *path, size_t limit)
{
    char head[HEADER];
    *embed = (struct embed){0};
    if (!starts(path, head))
        return false;
    if (memcmp(head + 4, "ftyp", 4) == 0)
        return read_as(embed, "video/mp4", path, limit);
    return memcmp(head, "\x1a\x45\xdf\xa3", 4) == 0 && read_as(embed, "video/webm", path, limit);
}

void embed_free(struct embed *embed)
{
    free(embed->data);
    *embed = (struct embed){0};
}

size_t embed_size(const struct embed *embed)
{
    return embed->type ? strlen("data:;base64,") + strlen(embed->type) + (embed->size + 2) / 3 * 4
                       : 0;
}

void embed_put(FILE *out, const struct embed *embed)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = (const unsigned char *)embed->data;
    fprintf(out, "data:%s;base64,", embed->type);
    for (size_t at = 0; at < embed->size; at += 3) {
        const size_t left = embed->size - at;
        const uint32_t bits = (uint32_t)data[at] << 16 |
                              (left > 1 ? (uint32_t)data[at + 1] << 8 : 0) |
                              (left > 2 ? data[at + 2] : 0U);
        putc(digits[bits >> 18], out);
        putc(digits[bits >> 12 & 63], out);
        putc(left > 1 ? digits[bits >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[bits & 63] : '=', out);
    }
}
