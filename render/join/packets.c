#include "render/join/packets.h"

#include "base/memory.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>

static enum status check_streams(struct demuxer *film, const char *path, unsigned count)
{
    if (film->film->nb_streams == count)
        return STATUS_OK;
    enum status status =
        status_fail(STATUS_USAGE,
                    "'%s' has %u streams, but only one of pictures can be joined; give films "
                    "as they were rendered",
                    path, film->film->nb_streams);
    demuxer_close(film);
    return status;
}

enum status packets_open(struct demuxer *film, const char *path, bool sound)
{
    enum status status = demuxer_open(film, path);
    return status == STATUS_OK ? check_streams(film, path, sound ? 2 : 1) : status;
}

enum status packets_open_told(struct demuxer *segment, const char *path)
{
    enum status status = demuxer_open_packets(segment, path);
    return status == STATUS_OK ? check_streams(segment, path, 1) : status;
}

enum status packets_next(struct demuxer *film, struct AVPacket **packet)
{
    const AVPacket *next = film->packet;
    int error = demuxer_next(film);
    *packet = NULL;
    if (error == AVERROR_EOF)
        return STATUS_OK;
    if (error < 0 && error != AVERROR_INVALIDDATA)
        return demuxer_failed(film, error);
    if (error < 0 || (next->flags & AV_PKT_FLAG_CORRUPT) || next->pts == AV_NOPTS_VALUE ||
        next->size == 0)
        return status_fail(STATUS_USAGE,
                           "'%s' is damaged or cut short after %llu frames; render it again",
                           film->path, (unsigned long long)film->packets - (error >= 0));
    *packet = film->packet;
    return STATUS_OK;
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

enum status packets_order(const char *path, int64_t *times, uint64_t count, int64_t *sorted)
{
    struct shown *order = memory_new(count, sizeof *order);
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
