#include "cmd/record/readback.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/record/luma.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void hash_times(const struct stream *stream, char out[HASH_TEXT])
{
    struct hash_stream *hash = hash_open();
    for (size_t i = 0; i < stream->count; i++)
        hash_add(hash, &stream->packets[i].shown, sizeof stream->packets[i].shown);
    hash_end(&hash, out);
}

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
        .width = stream->width,
        .height = stream->height,
        .fps_num = stream->fps_num,
        .fps_den = stream->fps_den,
        .frames = stream->count,
        .bytes = stream->bytes,
        .duration = stream->duration,
    };
    hash_times(stream, out->times);
}

static void name_encoder(struct record *record, const char *encoder)
{
    char *before = record->platform.encoder;
    if (!*encoder)
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
        .format = memory_text("png"),
        .codec = memory_text("png"),
        .pixel_format = memory_text(info->bits > 8 ? "rgb48be" : "rgb24"),
        .width = info->width,
        .height = info->height,
        .frames = record->count,
        .bytes = bytes,
        .duration = NAN,
    };
    reader_close(&reader);
    return STATUS_OK;
}

static void compare(struct reader *reader, const struct kept_pictures *kept, uint64_t i,
                    const uint16_t *rgb, uint16_t *luma, struct frame_record *frame)
{
    const struct reader_info *info = reader_info(reader);
    const struct picture_layout *layout = &kept->layout;
    const bool of_rgb = layout->format == PICTURE_RGBA8 || layout->format == PICTURE_RGBA16;
    const struct decoded_luma decoded = {of_rgb ? rgb : luma, info->width, info->bits};
    if (kept->plane[i] && info->width >= layout->width && info->height >= layout->height &&
        (of_rgb || (info->bits >= picture_format_bits(layout->format) && info->bits <= 16 &&
                    reader_luma(reader, luma))))
        frame->psnr_y = luma_psnr(layout, kept->plane[i], &decoded);
}

static enum status read_all(struct reader *reader, const struct kept_pictures *kept,
                            struct record *record, uint64_t *compared)
{
    const struct reader_info *info = reader_info(reader);
    const size_t pixels = (size_t)info->width * info->height;
    uint16_t *rgb = malloc(4 * pixels * sizeof *rgb), *luma = rgb + 3 * pixels;
    if (!rgb)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for a picture of %ux%u, which takes %zu bytes",
                           info->width, info->height, 4 * pixels * sizeof *rgb);
    /* A sequence in the same folder may have further files, of other runs. */
    const uint64_t first = info->is_video ? 0 : record->frames[0].frame;
    const uint64_t count =
        info->is_video && info->frames < record->count ? info->frames : record->count;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < count && status == STATUS_OK; i++) {
        struct frame_record *frame = &record->frames[i];
        status = reader_read(reader, first + i, rgb);
        if (status != STATUS_OK)
            break;
        hash_parts(&(struct hash_part){rgb, 3 * pixels * sizeof *rgb}, 1, frame->decoded);
        compare(reader, kept, i, rgb, luma, frame);
        *compared += !isnan(frame->psnr_y);
    }
    free(rgb);
    return status;
}

enum status readback_pictures(const char *path, const struct kept_pictures *kept,
                              struct record *record, uint64_t *compared)
{
    struct reader *reader;
    *compared = 0;
    enum status status = reader_open(&reader, path);
    if (status == STATUS_OK)
        status = read_all(reader, kept, record, compared);
    reader_close(&reader);
    return status;
}
