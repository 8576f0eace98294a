#include "cmd/regression/judge/lit.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>

/* Lit pixels per frame with fewer of which light and colour are those of an encoder's noise. */
static const double LIT_LEAST = 16;

/* Degrees of hue below which the commands' help says that no turn is found. */
static const double HUE_SAID = 10;

static double worst_channel(const struct lit *lit)
{
    double worst = 0;
    for (int c = 0; c < 3; c++)
        if (fabs(lit_channel(lit, c)) > fabs(worst))
            worst = lit_channel(lit, c);
    return worst;
}

static double lost_saturation(const struct lit *lit)
{
    const double change = lit_saturation(lit);
    return isnan(change) ? NAN : fmin(change, 0);
}

static double gained_saturation(const struct lit *lit)
{
    const double change = lit_saturation(lit);
    return isnan(change) ? NAN : fmax(change, 0);
}

/* Returns how many degrees of the hue encoders may have turned. */
static double doubt(const struct lit_judge *judge)
{
    return lit_doubt(&judge->film) * (judge->apart ? 2 : 1);
}

/* `says` is a printf format for the change, whose size is the value. */
static const struct row {
    enum rule_name rule[2]; /* by enum lit_rules */
    double (*change)(const struct lit *lit);
    const char *says;
} rows[] = {
    {{RULE_PICTURE_HUE, RULE_FILM_HUE}, lit_hue, "colours are turned by %.1f degrees or more"},
    {{RULE_PICTURE_PALER, RULE_FILM_PALER}, lost_saturation, "saturation changed by %+.0f %%"},
    {{RULE_PICTURE_RICHER, RULE_FILM_RICHER}, gained_saturation, "saturation changed by %+.0f %%"},
    {{RULE_PICTURE_DETAIL, RULE_FILM_DETAIL}, lit_detail, "detail changed by %+.0f %%"},
    {{RULE_PICTURE_LAYOUT, RULE_FILM_LAYOUT},
     lit_layout,
     "light lies in other places (%.2f of the contrast)"},
    {{RULE_PICTURE_SHIFT, RULE_FILM_SHIFT}, lit_shift, "pictures are shifted by %.1f pixels"},
    {{RULE_PICTURE_BRIGHTNESS, RULE_FILM_BRIGHTNESS},
     lit_brightness,
     "brightness changed by %+.1f %%"},
    {{RULE_PICTURE_LIT_LIGHT, RULE_FILM_LIT_LIGHT},
     lit_light,
     "the light of the lit pixels changed by %+.1f %%"},
    {{RULE_PICTURE_CHANNEL, RULE_FILM_CHANNEL},
     worst_channel,
     "the light of one of red, green and blue changed by %+.1f %%"},
};

void lit_judge_add(struct lit_judge *judge, const struct measure *measure)
{
    if (measure->equal)
        return;
    judge->frames++;
    lit_add(&judge->film, &measure->lit_sums);
}

static bool is_dark(const struct lit_judge *judge)
{
    return judge->film.pixels < LIT_LEAST * (double)judge->frames;
}

void lit_judge_end(const struct lit_judge *judge, enum lit_rules which, const struct limits *limits,
                   struct stage_report *stage)
{
    if (judge->frames == 0 || is_dark(judge))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct rule *rule = &rules[rows[i].rule[which]];
        double change = rows[i].change(&judge->film);
        if (rows[i].change == lit_hue && !isnan(change))
            change = fmax(change - doubt(judge), 0);
        if (isnan(change) || (isinf(limits_warn(limits, rule)) && isinf(limits_fail(limits, rule))))
            continue;
        struct finding *finding = stage_measured(stage, limits, rule, fabs(change));
        finding_say(finding, rows[i].says, change);
    }
}

char *lit_judge_missing(const struct lit_judge *judge, enum lit_rules which,
                        const struct limits *limits)
{
    if (judge->frames == 0)
        return NULL;
    if (is_dark(judge))
        return memory_text("light and colour (too few pixels are lit)");
    if (isnan(lit_hue(&judge->film)))
        return memory_text("hue and saturation (colours are too pale, or too few)");
    /* An encoder may turn a mistake's hue back by as much as it turns an honest one. */
    const double least =
        limits_fail(limits, &rules[which == LIT_OF_FILM ? RULE_FILM_HUE : RULE_PICTURE_HUE]) +
        doubt(judge) + 2 * lit_doubt(&judge->film);
    if (least >= 180)
        return memory_text("hue (a coarse encoder, or pale colours)");
    return least > HUE_SAID
               ? text_format("hues turned by less than %.0f degrees (a coarse encoder, or pale "
                             "colours)",
                             ceil(least))
               : NULL;
}
