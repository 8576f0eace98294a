#include "cmd/regression/compare/side.h"

#include "base/file.h"
#include "render/picture/png_pdf.h"
#include "render/reader/reader.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum status side_open(struct side *side, const char *path, int threads)
{
    *side = (struct side){.path = path};
    enum status status = reader_open_threads(&side->reader, path, threads);
    if (status != STATUS_OK)
        return status;
    side->info = reader_info(side->reader);
    side->first = side->info->first;
    side->frames = side->info->frames;
    if (!side->info->is_video)
        return STATUS_OK;
    status = stream_read(path, &side->stream);
    return status == STATUS_OK ? played_read(path, &side->played) : status;
}

void side_close(struct side *side)
{
    reader_close(&side->reader);
    stream_free(&side->stream);
    played_free(&side->played);
    *side = (struct side){0};
}

enum status side_choose(struct side *side, const struct text_range *frames)
{
    const struct reader_info *info = side->info;
    const uint64_t end = info->first + info->frames - 1;
    const uint64_t first = frames->has_first ? frames->first : info->first;
    const uint64_t last = frames->has_last                         ? frames->last
                          : frames->has_count && frames->count > 0 ? first + frames->count - 1
                                                                   : end;
    if (frames->has_count && frames->count == 0)
        return status_fail(STATUS_USAGE, "--frames 0 leaves no frame of '%s' to compare",
                           side->path);
    if (first < info->first || last < first || last > end)
        return status_fail(STATUS_USAGE,
                           "--frames goes beyond '%s', which has frames %" PRIu64 " to %" PRIu64,
                           side->path, info->first, end);
    side->first = first;
    side->frames = last - first + 1;
    return STATUS_OK;
}

bool side_same(const struct side *a, const struct side *b)
{
    char in_a[PATH_MAX], in_b[PATH_MAX];
    if (strcmp(a->path, b->path) == 0 || file_same(a->path, b->path))
        return true;
    return !a->info->is_video && !b->info->is_video &&
           png_name(a->path, a->info->first, in_a, sizeof in_a) == STATUS_OK &&
           png_name(b->path, b->info->first, in_b, sizeof in_b) == STATUS_OK &&
           file_same(in_a, in_b);
}
