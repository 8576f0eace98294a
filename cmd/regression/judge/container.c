#include "cmd/regression/judge/stages.h"

#include "base/text.h"
#include "cmd/regression/record/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    const char *unsaid; /* meaning of a field that a film leaves out; NULL: none */
} fields[] = {
    {"format", offsetof(struct container_record, format), NULL},
    {"codec", offsetof(struct container_record, codec), NULL},
    {"profile", offsetof(struct container_record, profile), NULL},
    {"pixel format", offsetof(struct container_record, pixel_format), NULL},
    {"range", offsetof(struct container_record, range), NULL},
    {"matrix", offsetof(struct container_record, matrix), NULL},
    {"transfer", offsetof(struct container_record, transfer), NULL},
    {"primaries", offsetof(struct container_record, primaries), NULL},
    {"chroma site", offsetof(struct container_record, chroma_site), NULL},
    {"time base", offsetof(struct container_record, time_base), NULL},
    {"pixel aspect ratio", offsetof(struct container_record, pixel_aspect), "1:1"},
};

static const char *text_of(const struct container_record *container, size_t i)
{
    const char *text = *(char *const *)(const void *)((const char *)container + fields[i].offset);
    return text && text[0] ? text : fields[i].unsaid ? fields[i].unsaid : "nothing";
}

static bool says_nothing(const struct container_record *container)
{
    return !container->format || !container->format[0];
}

/* Returns the kind of file if it has no container: single pictures, or no file. */
static const char *without_container(const struct comparison *comparison)
{
    static const char *const formats[] = {"png", "hash", "null"};
    const char *before = comparison->before->output_format, *now = comparison->now->output_format;
    for (size_t i = 0; before && now && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(before, formats[i]) == 0 && strcmp(now, formats[i]) == 0)
            return formats[i];
    return NULL;
}

static double numbers_differ(const char *name, const uint32_t before[2], const uint32_t now[2],
                             const char *between, char *list, size_t size)
{
    if (before[0] == now[0] && before[1] == now[1])
        return 0;
    char *one = text_format("%s is %" PRIu32 "%s%" PRIu32 ", was %" PRIu32 "%s%" PRIu32, name,
                            now[0], between, now[1], before[0], between, before[1]);
    text_list(list, size, one);
    free(one);
    return 1;
}

static void judge_fields(const struct comparison *comparison, struct stage_report *stage)
{
    const struct container_record *before = &comparison->before->container,
                                  *now = &comparison->now->container;
    char list[512] = "";
    double count = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *a = text_of(before, i), *b = text_of(now, i);
        if (strcmp(a, b) == 0)
            continue;
        char *one = text_format("%s is %s, was %s", fields[i].name, b, a);
        text_list(list, sizeof list, one);
        free(one);
        count++;
    }
    count += numbers_differ("size", (uint32_t[]){before->width, before->height},
                            (uint32_t[]){now->width, now->height}, "x", list, sizeof list);
    count += numbers_differ("rate", (uint32_t[]){before->fps_num, before->fps_den},
                            (uint32_t[]){now->fps_num, now->fps_den}, "/", list, sizeof list);
    struct finding *finding = comparison_measured(comparison, stage, RULE_CONTAINER_FIELDS, count);
    if (count > 0)
        finding_say(finding, "%s", list);
}

static void judge_frame_count(const struct comparison *comparison, struct stage_report *stage)
{
    const uint64_t before = comparison->before->container.frames,
                   now = comparison->now->container.frames;
    struct finding *finding =
        comparison_measured(comparison, stage, RULE_CONTAINER_FRAMES,
                            (double)(before > now ? before - now : now - before));
    if (before != now)
        finding_say(finding, "%" PRIu64 " frames instead of %" PRIu64, now, before);
}

/* Frames that are shown at a different time than before. */
struct other_times {
    uint64_t count, first;
    double before, now; /* seconds, for the first such frame */
};

/* Compares seconds, since time bases can differ. Finds nothing if the times of one side are
 * unknown. */
static struct other_times find_other_times(const struct container_record *before,
                                           const struct container_record *now)
{
    struct other_times other = {0};
    int64_t *a = times_of(before), *b = times_of(now);
    for (uint64_t i = 0; a && b && i < before->frames && i < now->frames; i++) {
        const double was = (double)a[i] * times_tick(before), is = (double)b[i] * times_tick(now);
        if (fabs(was - is) <= 1e-9 * fmax(1, fabs(was)))
            continue;
        if (other.count++ == 0)
            other = (struct other_times){1, i, was, is};
    }
    free(a);
    free(b);
    return other;
}

static void say_other_times(const struct comparison *comparison, const struct other_times *other,
                            struct stage_report *stage, struct finding *finding)
{
    const uint64_t frame = comparison->now->frames[0].frame + other->first;
    finding->frame = (int64_t)frame;
    if (other->count == 1)
        finding_say(finding, "frame %" PRIu64 " is shown at %.6g s, was %.6g s", frame, other->now,
                    other->before);
    else
        finding_say(finding,
                    "%" PRIu64 " frames are shown at other times, the first is frame %" PRIu64
                    ": at %.6g s, was %.6g s",
                    other->count, frame, other->now, other->before);
    if (finding->verdict == VERDICT_CHANGED)
        stage->first_frame = comparison_earlier(stage->first_frame, finding->frame);
}

static void judge_times(const struct comparison *comparison, struct stage_report *stage)
{
    const struct container_record *before = &comparison->before->container,
                                  *now = &comparison->now->container;
    const bool times = strcmp(before->times, now->times) != 0,
               duration = !(before->duration == now->duration);
    struct finding *finding =
        comparison_measured(comparison, stage, RULE_CONTAINER_TIMES, times + duration);
    const struct other_times other = times && comparison->now->count > 0
                                         ? find_other_times(before, now)
                                         : (struct other_times){0};
    if (other.count > 0)
        say_other_times(comparison, &other, stage, finding);
    else if (times)
        finding_say(finding, "frames are shown at other times");
    if (duration)
        finding_say(finding, "it lasts %.6g s, was %.6g s", now->duration, before->duration);
}

/* Compares the key frames only if the packets are the same; for others judge_packets compares the
 * GOPs. */
static void judge_keys(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double count = 0;
    int64_t first = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (before->key == now->key || !before->packet[0] ||
            strcmp(before->packet, now->packet) != 0)
            continue;
        count++;
        first = first < 0 ? (int64_t)now->frame : first;
    }
    struct finding *finding = comparison_measured(comparison, stage, RULE_CONTAINER_KEYS, count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "the index calls frame %" PRId64 " %s key frame, with the same packet",
                    first, record_frame(comparison->now, (uint64_t)first)->key ? "a" : "no");
    if (finding->verdict == VERDICT_CHANGED)
        stage->first_frame = comparison_earlier(stage->first_frame, first);
}

static void judge_size(const struct comparison *comparison, struct stage_report *stage)
{
    const uint64_t before = comparison->before->container.bytes,
                   now = comparison->now->container.bytes;
    const double off = 100 * fabs((double)now / (double)before - 1);
    struct finding *finding = comparison_measured(comparison, stage, RULE_CONTAINER_SIZE, off);
    if (before != now)
        finding_say(finding, "the film has %" PRIu64 " bytes, was %" PRIu64, now, before);
}

enum status judge_container(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const bool none_before = says_nothing(&before->container),
               none_now = says_nothing(&now->container);
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.muxer, now->platform.muxer);
    const char *format = without_container(comparison);
    if (format) {
        stage_not_applicable(stage, "%s has no container", format);
        return STATUS_OK;
    }
    stage->planned = 1;
    if (none_before || none_now) {
        stage_say(stage, "%s has no data about its file",
                  none_before ? "the baseline" : "the film");
        return STATUS_OK;
    }
    stage->compared = 1;
    judge_fields(comparison, stage);
    judge_frame_count(comparison, stage);
    judge_times(comparison, stage);
    judge_keys(comparison, stage);
    judge_size(comparison, stage);
    return STATUS_OK;
}
