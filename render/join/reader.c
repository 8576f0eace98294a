#include "render/join/reader.h"

#include "render/reader/container.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>

enum status join_reader_open(struct join_reader *reader, const char *path)
{
    *reader = (struct join_reader){.path = path};
    enum status status = film_container_open(path, &reader->film);
    if (status != STATUS_OK)
        return status;
    if (reader->film->nb_streams != 1 ||
        reader->film->streams[0]->codecpar->codec_type != AVMEDIA_TYPE_VIDEO)
        status = status_fail(STATUS_USAGE,
                             "'%s' has %u streams, but one stream of pictures is wanted; give "
                             "films as they were rendered",
                             path, reader->film->nb_streams);
    reader->packet = av_packet_alloc();
    if (status == STATUS_OK && !reader->packet)
        status = status_fail(STATUS_RUNTIME, "no memory left to read '%s'", path);
    if (status != STATUS_OK)
        join_reader_close(reader);
    else
        reader->stream = reader->film->streams[0];
    return status;
}

enum status join_reader_next(struct join_reader *reader, struct AVPacket **packet)
{
    *packet = NULL;
    av_packet_unref(reader->packet);
    libav_forget();
    int error = av_read_frame(reader->film, reader->packet);
    if (error == AVERROR_EOF && !(reader->film->pb && reader->film->pb->error < 0))
        return STATUS_OK;
    if (error == AVERROR_EOF)
        error = reader->film->pb->error;
    if (error == AVERROR_INVALIDDATA ||
        (error >= 0 && ((reader->packet->flags & AV_PKT_FLAG_CORRUPT) ||
                        reader->packet->pts == AV_NOPTS_VALUE || reader->packet->size == 0)))
        return status_fail(STATUS_USAGE,
                           "'%s' is damaged or cut short after %llu frames; render it again",
                           reader->path, (unsigned long long)reader->packets);
    if (error < 0)
        return status_fail(STATUS_IO, "cannot read '%s' after %llu frames: %s", reader->path,
                           (unsigned long long)reader->packets, libav_reason(error));
    reader->packets++;
    *packet = reader->packet;
    return STATUS_OK;
}

void join_reader_close(struct join_reader *reader)
{
    av_packet_free(&reader->packet);
    avformat_close_input(&reader->film);
    reader->stream = NULL;
}

struct shown {
    int64_t time;
    uint64_t index;
};

static int by_time(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

enum status join_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted)
{
    struct shown *order = calloc(count, sizeof *order);
    if (!order)
        return status_fail(STATUS_RUNTIME, "'%s': no memory left for the order of %llu frames",
                           path, (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        order[i] = (struct shown){times[i], i};
    qsort(order, count, sizeof *order, by_time);
    enum status status = STATUS_OK;
    for (uint64_t place = 0; place < count; place++) {
        times[order[place].index] = (int64_t)place;
        if (sorted)
            sorted[place] = order[place].time;
        if (place > 0 && order[place].time == order[place - 1].time)
            status = status_fail(
                STATUS_USAGE, "'%s' shows frames %llu and %llu at the same time; render it again",
                path, (unsigned long long)place - 1, (unsigned long long)place);
    }
    free(order);
    return status;
}
