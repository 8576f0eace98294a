#include "cmd/regression/verify/stages.h"

#include "base/text.h"
#include "cmd/regression/record/boxes.h"
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
    verify_packets_conclude(stage, finding);
}

static bool has_packets(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!record->frames[i].packet[0])
            return false;
    return record->count > 0;
}

static enum status compare_boxes(const struct subject *subject, const struct record *manifest,
                                 bool packets, struct stage_report *stage)
{
    struct record now = {0};
    uint32_t count = 0;
    if (manifest->box_count == 0) {
        struct finding *finding = stage_add_finding(stage, &rules[RULE_CONTAINER_BOXES]);
        finding->verdict = VERDICT_WARNED;
        finding_say(finding,
                    "the manifest has no hashes of the container's boxes, so that it is not "
                    "proven; render the film again");
        verify_container_conclude(stage);
        return STATUS_OK;
    }
    const enum status status = boxes_read(subject->path, &now);
    if (status == STATUS_OK) {
        char *text = boxes_difference(manifest, &now, packets, &count);
        struct finding *finding =
            stage_measured(stage, subject->limits, &rules[RULE_CONTAINER_BOXES], count);
        finding_say(finding, "%s%s",
                    text ? "not as in the manifest: " : "every bit of it as in the manifest",
                    text ? text : "");
        free(text);
        verify_container_conclude(stage);
    }
    record_free(&now);
    return status;
}

enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one)
{
    struct stage_report *packets = &one->stages[JUDGED_PACKETS];
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
        compare(&stream, manifest, subject->limits, packets);
    else
        stage_not_judged(packets, "%s", status_text());
    if (status == STATUS_OK)
        status = compare_boxes(subject, manifest, verdict_passes(packets->verdict),
                               &one->stages[JUDGED_CONTAINER]);
    stream_free(&stream);
    return status;
}
