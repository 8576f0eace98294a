#include "cmd/regression/judge/stages.h"

#include "cmd/regression/record/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EQUAL = 100; /* dB; from here on pictures count as equal */

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

/* Names the output format if neither film has packets. */
static const char *without_packets(const struct comparison *comparison)
{
    static const char *const formats[] = {"png", "hash", "null"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (is_format(comparison->before, formats[i]) && is_format(comparison->now, formats[i]))
            return formats[i];
    return NULL;
}

/* Returns whether a frame was decoded exactly as it was encoded, as far as that was measured. */
static bool is_whole(const struct frame_record *frame)
{
    return frame->psnr_y == INFINITY && (frame->psnr_cb == INFINITY || isnan(frame->psnr_cb)) &&
           (frame->psnr_cr == INFINITY || isnan(frame->psnr_cr));
}

static bool is_lossless(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!is_whole(&record->frames[i]))
            return false;
    return record->count > 0;
}

/* Judges the order of frames by pixels, even if the bits of the packets differ, because order is
 * structure. */
static void judge_order(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const bool same = film_order_same(before, now);
    const struct order_faults faults = film_order_faults(now->shows ? now : before);
    struct finding *finding = comparison_measured(comparison, stage, RULE_PACKETS_ORDER,
                                                  same               ? 0
                                                  : faults.count > 0 ? (double)faults.count
                                                                     : 1);
    if (!same) {
        finding->frame = faults.first;
        finding_say(finding, now->shows ? "%s" : "every frame is in its place, while before %s",
                    faults.text ? faults.text : "frames were out of it");
    }
    if (finding->verdict == VERDICT_CHANGED && faults.first >= 0)
        stage->first_frame = faults.first;
    free(faults.text);
}

/* Returns whether the film does not show the frame: it then has no loss that could be measured. */
static bool is_missing(const struct comparison *comparison, const struct frame_record *now)
{
    return comparison->now->shows && !*now->decoded;
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
    struct finding *finding = comparison_measured(comparison, stage, RULE_PACKETS_KEYS, count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "%.0f frame%s a GOP on one side only", count,
                    count == 1 ? " begins" : "s begin");
}

static void judge_lossless(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    const bool same_pictures = comparison->same_input || comparison->substituted;
    double count = 0;
    int64_t first = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (is_missing(comparison, now))
            continue;
        if (is_whole(now) && (isnan(before->psnr_cb) || !isnan(now->psnr_cb)) &&
            (!same_pictures || strcmp(before->decoded, now->decoded) == 0))
            continue;
        count++;
        if (first < 0)
            first = (int64_t)now->frame;
    }
    struct finding *finding = comparison_measured(comparison, stage, RULE_PACKETS_DECODED, count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "%.0f frame%s of a lossless film decode%s to other pixels", count,
                    count == 1 ? "" : "s", count == 1 ? "s" : "");
}

/* Limits a PSNR, so that equal frames, such as black ones, do not outweigh all others. */
static double bounded(double psnr)
{
    return psnr > EQUAL ? EQUAL : psnr;
}

static double of_luma(const struct frame_record *frame)
{
    return bounded(frame->psnr_y);
}

/* Returns the PSNR of the worse chroma plane: red and blue bodies are lost in one of the two. */
static double of_chroma(const struct frame_record *frame)
{
    const double cb = bounded(frame->psnr_cb), cr = bounded(frame->psnr_cr);
    return cb <= cr || isnan(cb) ? cb : cr;
}

static double of_ssim(const struct frame_record *frame)
{
    return frame->ssim;
}

/* A quality measure of the encoded picture: larger is better. */
struct loss {
    const char *what, *unit;
    double best;
    double (*of)(const struct frame_record *frame);
    enum rule_name mean, worst;
};

static const struct loss losses[] = {
    {"PSNR of luma", " dB", EQUAL, of_luma, RULE_PACKETS_PSNR_MEAN, RULE_PACKETS_PSNR_WORST},
    {"PSNR of chroma", " dB", EQUAL, of_chroma, RULE_PACKETS_CHROMA_MEAN,
     RULE_PACKETS_CHROMA_WORST},
    {"SSIM of the worst window", "", 1, of_ssim, RULE_PACKETS_SSIM_MEAN, RULE_PACKETS_SSIM_WORST},
};

static double lost(double before, double now)
{
    return before <= now ? 0 : before - now;
}

/* Returns whether a baseline has the value; those of older programs lack some. */
static bool is_recorded(const struct record *record, double (*of)(const struct frame_record *frame))
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!isnan(of(&record->frames[i])))
            return true;
    return false;
}

static void say_unmeasured(struct stage_report *stage, enum rule_name rule, const char *what)
{
    struct finding *finding = stage_add_finding(stage, &rules[rule]);
    finding->verdict = VERDICT_WARNED;
    finding_say(finding, "not measured: the baseline has no %s; record it again", what);
}

/* A value that only one side has cannot pass. */
static void say_one_sided(const struct comparison *comparison, struct stage_report *stage,
                          enum rule_name rule, const char *what, uint64_t frame)
{
    struct finding *finding = comparison_measured(comparison, stage, rule, NAN);
    finding->frame = (int64_t)frame;
    finding_say(finding, "%s of frame %" PRIu64 " was measured on one side only", what, frame);
}

static void judge_loss(const struct comparison *comparison, struct stage_report *stage,
                       const struct loss *loss)
{
    const struct frame_record *before, *now;
    double count = 0, sum_before = 0, sum_now = 0, least_before = loss->best,
           least_now = loss->best;
    int64_t frame = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        const double was = loss->of(before), is = loss->of(now);
        if (is_missing(comparison, now) || (isnan(was) && isnan(is)))
            continue;
        if (isnan(was) || isnan(is)) {
            say_one_sided(comparison, stage, loss->mean, loss->what, now->frame);
            return;
        }
        count++;
        sum_before += was;
        sum_now += is;
        least_before = was < least_before ? was : least_before;
        if (is < least_now) {
            least_now = is;
            frame = (int64_t)now->frame;
        }
    }
    if (count == 0) {
        say_unmeasured(stage, loss->mean, loss->what);
        return;
    }
    struct finding *finding = comparison_measured(comparison, stage, loss->mean,
                                                  lost(sum_before / count, sum_now / count));
    finding_say(finding, "%s is %.4g%s on average, was %.4g%s", loss->what, sum_now / count,
                loss->unit, sum_before / count, loss->unit);
    finding = comparison_measured(comparison, stage, loss->worst, lost(least_before, least_now));
    finding->frame = frame;
    finding_say(finding, "%s is %.4g%s in the worst frame, was %.4g%s", loss->what, least_now,
                loss->unit, least_before, loss->unit);
}

static double of_bias(const struct frame_record *frame)
{
    return frame->bias;
}

/* The luma of one frame may be off by chance; the mean over all frames may not. */
static void judge_bias(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double count = 0, sum_before = 0, sum_now = 0;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (is_missing(comparison, now) || (isnan(before->bias) && isnan(now->bias)))
            continue;
        if (isnan(before->bias) || isnan(now->bias)) {
            say_one_sided(comparison, stage, RULE_PACKETS_BIAS, "the bias of luma", now->frame);
            return;
        }
        count++;
        sum_before += before->bias;
        sum_now += now->bias;
    }
    if (count == 0)
        return;
    struct finding *finding = comparison_measured(comparison, stage, RULE_PACKETS_BIAS,
                                                  fabs(sum_now - sum_before) / count);
    finding_say(finding, "luma comes back %+.2f codes off on average, was %+.2f codes",
                sum_now / count, sum_before / count);
}

static void judge_losses(const struct comparison *comparison, struct stage_report *stage)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (i == 0 || is_recorded(comparison->before, losses[i].of))
            judge_loss(comparison, stage, &losses[i]);
        else
            say_unmeasured(stage, losses[i].mean, losses[i].what);
    if (is_recorded(comparison->before, of_bias))
        judge_bias(comparison, stage);
    else
        say_unmeasured(stage, RULE_PACKETS_BIAS, "bias of luma");
}

/* Returns whether pictures in files of their own are in the same order as before and, if the
 * baseline's were lossless, still lossless. */
static bool is_as_before(const struct comparison *comparison)
{
    return film_order_same(comparison->before, comparison->now) &&
           (!is_lossless(comparison->before) || is_lossless(comparison->now));
}

static void judge_files(const struct comparison *comparison, struct stage_report *stage)
{
    stage->planned = stage->compared = comparison->now->count;
    judge_order(comparison, stage);
    if (is_lossless(comparison->before))
        judge_lossless(comparison, stage);
}

enum status judge_packets(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const char *format = without_packets(comparison);
    if (format && !has_packets(before) && !has_packets(now)) {
        if (is_as_before(comparison))
            stage_not_applicable(stage, "%s has no packets", format);
        else
            judge_files(comparison, stage);
        return STATUS_OK;
    }
    const struct hash_comparison hashes =
        comparison_hashes(comparison, offsetof(struct frame_record, packet));
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.encoder, now->platform.encoder);
    const bool settled =
        comparison_judge_bits(comparison, stage, &rules[RULE_PACKETS_BITS], &hashes);
    /* If a frame's packet is there but hidden, the container is at fault. */
    const bool hidden = settled && now->container.hidden > before->container.hidden;
    if (!settled || (!hidden && !film_order_same(before, now)))
        judge_order(comparison, stage);
    if (settled)
        return STATUS_OK;
    if (film_order_same(before, now))
        judge_keys(comparison, stage);
    if (is_lossless(before))
        judge_lossless(comparison, stage);
    else
        judge_losses(comparison, stage);
    return STATUS_OK;
}
