#include "cmd/regression/compare/manifests.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool manifest_possible(const char *path)
{
    char head[64];
    size_t size;
    if (strcmp(file_extension(path), "json") == 0)
        return true;
    if (file_read_head(path, head, sizeof head, &size) != STATUS_OK)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r\n", head[i]))
            return head[i] == '{';
    return false;
}

static struct case_report *open_case(const char *a, const char *b, struct report *report)
{
    char *name = text_format("%s against %s", b, a);
    struct case_report *one = report_add_case(report, name);
    free(name);
    one->a = memory_text(a);
    one->b = memory_text(b);
    return one;
}

/* Adds the first stage in which the films differ: a changed scene explains the differences, but not
 * where they begin. */
static void tell_parting(struct case_report *one)
{
    if (one->stage != JUDGED_SCENE)
        return;
    for (int i = JUDGED_START; i < JUDGED_COUNT; i++) {
        if (!one->stages[i].follows)
            continue;
        char at[40] = "", *said = one->sentence;
        if (one->stages[i].first_frame >= 0)
            snprintf(at, sizeof at, ", from frame %" PRId64, one->stages[i].first_frame);
        one->sentence = text_format("%s; the films first differ in the stage %s%s", said,
                                    judged_name((enum judged)i), at);
        free(said);
        return;
    }
}

/* A manifest has hashes of its film's boxes, but neither turns nor sound: says so unless all boxes
 * are the same. */
static void tell_missing(const struct record *a, const struct record *b, struct case_report *one)
{
    uint32_t count = 0;
    char *boxes = boxes_difference(a, b, true, &count);
    const bool films = a->container.fps_num > 0 && b->container.fps_num > 0,
               proven = a->box_count > 0 && b->box_count > 0 && !boxes;
    if (films && !proven && one->stages[JUDGED_CONTAINER].compared > 0)
        case_say(one, text_format("%s; not compared: rotation, crop, sound, subtitles, chapters "
                                  "and title (manifests have none; compare the films)",
                                  one->sentence));
    free(boxes);
}

static void judge(const struct record *a, const struct record *b, const struct limits *limits,
                  struct case_report *one)
{
    const struct comparison comparison = {.before = a, .now = b, .limits = limits};
    const char *nothing = file_same(one->a, one->b)        ? "A and B are one file"
                          : a->count == 0 || b->count == 0 ? "a manifest without frames"
                                                           : NULL;
    for (int i = 0; i < JUDGED_COUNT && nothing; i++)
        stage_not_judged(&one->stages[i], "%s: nothing was compared", nothing);
    if (!nothing) /* cannot fail: only details fail, and there are none */
        judge_records(&comparison, one);
    one->frames = a->count > b->count ? a->count : b->count;
    const struct container_record *container = &a->container;
    if (container->fps_den > 0)
        one->fps = (double)container->fps_num / container->fps_den;
    case_conclude(one);
    tell_parting(one);
    if (!nothing)
        tell_missing(a, b, one);
}

enum status compare_manifests(const char *a, const char *b, const struct limits *limits,
                              struct report *report)
{
    const double began = clock_seconds();
    struct record before, now = {0};
    enum status status = record_read(&before, a);
    if (status == STATUS_OK)
        status = record_read(&now, b);
    if (status == STATUS_OK) {
        struct case_report *one = open_case(a, b, report);
        judge(&before, &now, limits, one);
        one->seconds = clock_seconds() - began;
    }
    record_free(&before);
    record_free(&now);
    return status;
}
