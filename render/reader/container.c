#include "render/reader/container.h"

#include "base/text.h"
#include "render/video/libav.h"

#include <errno.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEMUXERS "mov,matroska,yuv4mpegpipe"

enum status film_container_open(const char *path, struct AVFormatContext **out)
{
    *out = NULL;
    libav_prepare();
    struct stat found;
    if (stat(path, &found) != 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    char *url = text_format("file:%s", path);
    AVDictionary *options = NULL;
    av_dict_set(&options, "format_whitelist", DEMUXERS, 0);
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    libav_forget();
    int error = url ? avformat_open_input(out, url, NULL, &options) : AVERROR(ENOMEM);
    free(url);
    av_dict_free(&options);
    if (error == AVERROR_INVALIDDATA || error == AVERROR(EINVAL) || error == AVERROR_EOF)
        return status_fail(STATUS_USAGE,
                           "'%s' is not a whole film in mp4, mov, mkv, webm or y4m: %s", path,
                           libav_reason(error));
    if (error < 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, libav_reason(error));
    error = avformat_find_stream_info(*out, NULL);
    if (error >= 0)
        return STATUS_OK;
    avformat_close_input(out);
    return status_fail(STATUS_USAGE, "'%s' is not a whole film: %s", path, libav_reason(error));
}
