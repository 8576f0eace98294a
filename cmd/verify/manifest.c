#include "cmd/verify/manifest.h"

#include "base/text.h"
#include "render/reader/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void compare(const struct stream *stream, const struct record *record,
                    const struct limits *limits, struct stage_report *stage)
{
    const uint64_t both = stream->count < record->count ? stream->count : record->count;
    uint64_t wrong = stream->count + record->count - 2 * both;
    int64_t first = wrong ? (int64_t)both : -1;
    for (uint64_t i = both; i-- > 0;) {
        if (strcmp(stream->packets[i].hash, record->frames[i].packet) == 0)
            continue;
        wrong++;
        first = (int64_t)i;
    }
    struct finding *finding =
        stage_measured(stage, limits, &rules[RULE_PACKETS_BITS], (double)wrong);
    finding->frame = first;
    if (wrong)
        finding_say(finding,
                    "%" PRIu64 " of %" PRIu64 " packets are not those of the manifest, the first "
                    "at frame %" PRId64,
                    wrong, record->count, first);
    else
        finding_say(finding, "every bit of them as in the manifest");
    char *before = stage->sentence ? text_format("%s", stage->sentence) : NULL;
    if (before && verdict_passes(finding->verdict))
        stage_say(stage, "%s, %s", before, finding->text);
    else if (verdict_passes(stage->verdict))
        stage_say(stage, "%s", finding->text);
    else
        stage_say(stage, "%s; %s", before, finding->text);
    free(before);
    if (wrong && stage->first_frame < 0)
        stage->first_frame = first;
    stage_conclude(stage);
}

static bool has_packets(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!record->frames[i].packet[0])
            return false;
    return record->count > 0;
}

enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct stage_report *stage)
{
    struct stream stream = {0};
    enum status status =
        subject->film.is_film && has_packets(manifest)
            ? STATUS_OK
            : status_fail(STATUS_USAGE,
                          "'%s' and its manifest do not both have packets; --manifest is for films",
                          subject->path);
    if (status == STATUS_OK)
        status = stream_read(subject->path, &stream);
    if (status == STATUS_OK)
        compare(&stream, manifest, subject->limits, stage);
    else
        stage_not_judged(stage, "%s", status_text());
    stream_free(&stream);
    return status;
}
