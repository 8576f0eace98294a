#include "cmd/judge/packets.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EQUAL = 100; /* dB, from here on pictures are as good as equal */

static bool has_packets(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (record->frames[i].packet[0])
            return true;
    return false;
}

static bool is_format(const struct record *record, const char *format)
{
    return record->output_format && strcmp(record->output_format, format) == 0;
}

/* The way of writing that has no packets, if both films have it. */
static const char *without_packets(const struct comparison *comparison)
{
    static const char *const formats[] = {"png", "hash", "null"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (is_format(comparison->before, formats[i]) && is_format(comparison->now, formats[i]))
            return formats[i];
    return NULL;
}

/* Whether every frame of the baseline came back as it went in. */
static bool is_lossless(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (record->frames[i].psnr_y != INFINITY)
            return false;
    return record->count > 0;
}

static void judge_keys(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double count = 0;
    int64_t first = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (before->key == now->key)
            continue;
        count++;
        if (first < 0)
            first = (int64_t)now->frame;
    }
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_PACKETS_KEYS], count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "%.0f frames begin a GOP on one side only", count);
}

static void judge_lossless(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    const bool same_pictures = comparison->same_input || comparison->substituted;
    double count = 0;
    int64_t first = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (now->psnr_y == INFINITY &&
            (!same_pictures || strcmp(before->decoded, now->decoded) == 0))
            continue;
        count++;
        if (first < 0)
            first = (int64_t)now->frame;
    }
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_PACKETS_DECODED], count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "%.0f frames of a lossless film decode to other pixels", count);
}

/* Equal frames, as black ones are, must not outweigh all others. */
static double bounded(double psnr)
{
    return psnr > EQUAL ? EQUAL : psnr;
}

static double lost(double before, double now)
{
    return before <= now ? 0 : before - now;
}

static void judge_loss(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double count = 0, sum_before = 0, sum_now = 0, least_before = EQUAL, least_now = EQUAL;
    int64_t frame = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        count++;
        sum_before += bounded(before->psnr_y);
        sum_now += bounded(now->psnr_y);
        if (!(before->psnr_y >= least_before))
            least_before = bounded(before->psnr_y);
        if (!(now->psnr_y >= least_now)) {
            least_now = bounded(now->psnr_y);
            frame = (int64_t)now->frame;
        }
    }
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_PACKETS_PSNR_MEAN],
                       lost(sum_before / count, sum_now / count));
    finding_say(finding, "PSNR of luma is %.2f dB on average, was %.2f dB", sum_now / count,
                sum_before / count);
    finding = stage_measured(stage, comparison->limits, &rules[RULE_PACKETS_PSNR_WORST],
                             lost(least_before, least_now));
    finding->frame = frame;
    finding_say(finding, "PSNR of luma is %.2f dB in the worst frame, was %.2f dB", least_now,
                least_before);
}

enum status judge_packets(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const char *format = without_packets(comparison);
    if (format && !has_packets(before) && !has_packets(now)) {
        stage_not_applicable(stage, "not applicable: %s has no packets", format);
        return STATUS_OK;
    }
    const struct hash_comparison hashes =
        comparison_hashes(comparison, offsetof(struct frame_record, packet));
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.encoder, now->platform.encoder);
    if (comparison_judge_bits(comparison, stage, &rules[RULE_PACKETS_BITS], &hashes))
        return STATUS_OK;
    judge_keys(comparison, stage);
    if (is_lossless(before))
        judge_lossless(comparison, stage);
    else
        judge_loss(comparison, stage);
    return STATUS_OK;
}
