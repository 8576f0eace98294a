#include "cmd/regression/judge/lossy.h"

#include <math.h>

/* Measured of x264 at crf 18, 23 and 28, see docs/regression.md. */
static const struct {
    enum rule_name rule;
    double warn, fail;
    const char *means;
} profile[] = {
    {RULE_PICTURE_SIZE, 0, 0, "the same width and height"},
    {RULE_PICTURE_PSNR, 62, 65, "PSNR of luma is at least 35 dB over the whole film"},
    {RULE_PICTURE_PSNR_WORST, 66, 70, "PSNR of luma is at least 30 dB in every frame"},
    {RULE_PICTURE_SSIM_MEAN, 0.08, 0.15,
     "SSIM over the lit windows is at least 0.85 in every frame"},
    {RULE_PICTURE_COLOUR, 2, 4,
     "colours are off by at most 4 CIE Lab on average over the lit pixels"},
    {RULE_PICTURE_BIAS, 2, 3, "lit pixels are brighter or darker by at most 3 codes on average"},
    {RULE_SEQUENCE_COUNT, 0, 0, "the same number of frames"},
    {RULE_SEQUENCE_ORDER, 0, 0, "no frame is missing, repeated or swapped"},
    {RULE_SEQUENCE_FAILED, 0, 0, "no frame is beyond a limit of its own"},
    {RULE_CONTAINER_FRAMES, 0, 0, "the file holds as many frames"},
    {RULE_CONTAINER_TIMES, 0, 0, "frames are shown at the same times, for as long"},
    {RULE_CONTAINER_COLOURS, 0, 0, "colour tags that both films have are the same"},
};
enum { PROFILE = sizeof profile / sizeof *profile };

static int place_of(const struct rule *rule)
{
    int i = 0;
    while (i < PROFILE && &rules[profile[i].rule] != rule)
        i++;
    return i;
}

void limits_take_lossy(struct limits *limits)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        const struct rule *rule = &rules[r];
        const int i = place_of(rule);
        const bool judged = rule->stage == JUDGED_PICTURE || rule->stage == JUDGED_CONTAINER;
        if (!judged || rule->setting || limits_is_given(limits, rule))
            continue;
        if (i < PROFILE)
            limits_change(limits, rule, profile[i].warn, profile[i].fail, profile[i].means);
        else
            limits_change(limits, rule, INFINITY, INFINITY, "a lossy copy may differ in it");
    }
}
