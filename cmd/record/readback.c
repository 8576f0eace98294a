#include "cmd/record/readback.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/record/loss.h"
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
        .format = memory_text("png"),
        .codec = memory_text("png"),
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

/* One frame, decoded: RGB, then room for its components. */
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

static void measure_loss(struct reader *reader, const struct picture_layout *layout,
                         const uint8_t *data, const struct room *room, struct frame_record *frame)
{
    const struct reader_info *info = reader_info(reader);
    struct decoded decoded = {.bits = info->bits};
    if (loss_is_rgb(layout->format))
        decoded.component[0] = (struct decoded_component){room->rgb, info->width, info->height};
    for (int c = 0; c < 3 && !loss_is_rgb(layout->format); c++) {
        struct decoded_component *to = &decoded.component[c];
        if (reader_samples(reader, c, room->component[c], &to->width, &to->height))
            to->samples = room->component[c];
    }
    loss_measure(layout, data, &decoded, frame);
}

static enum status read_all(struct reader *reader, const struct kept_pictures *kept,
                            struct record *record, uint64_t *compared)
{
    const struct reader_info *info = reader_info(reader);
    const size_t pixels = (size_t)info->width * info->height;
    struct room room;
    /* A sequence in the same folder may have further files, of other runs. */
    const uint64_t first = info->is_video ? 0 : record->frames[0].frame;
    const uint64_t count =
        info->is_video && info->frames < record->count ? info->frames : record->count;
    enum status status = make_room(&room, pixels);
    for (uint64_t i = 0; i < count && status == STATUS_OK; i++) {
        struct frame_record *frame = &record->frames[i];
        status = reader_read(reader, first + i, room.rgb);
        if (status != STATUS_OK)
            break;
        hash_parts(&(struct hash_part){room.rgb, 3 * pixels * sizeof *room.rgb}, 1, frame->decoded);
        if (kept->data[i])
            measure_loss(reader, &kept->layout, kept->data[i], &room, frame);
        *compared += !isnan(frame->psnr_y);
    }
    free(room.rgb);
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
