#include "render/overlay/number_text.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/text.h"
#include "render/params.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

static void print_number(char *out, size_t size, double value, int decimals)
{
    const double most = fabs(value);
    if (most < 0.5 * fn_pow(10, -decimals))
        snprintf(out, size, "0"); /* not "-0.00" or "0.00" */
    else
        snprintf(out, size, most < 1e9 ? "%s%.*f" : "%s%.*e", value < 0 ? MINUS : "", decimals,
                 most);
}

void overlay_clock_text(char *out, size_t size, double time, double time_myr, double duration)
{
    static const struct {
        const char *name;
        double myr;
    } units[] = {{"Gyr", 1e3},
                 {"Myr", 1},
                 {"kyr", 1e-3},
                 {"yr", 1e-6},
                 {"days", 1 / 365.25e6},
                 {"h", 1 / (24 * 365.25e6)},
                 {"min", 1 / (1440 * 365.25e6)},
                 {"s", 1 / (86400 * 365.25e6)}};
    enum { MYR = 1, LAST = 7, DECIMALS_MAX = 6 };
    double factor = 1;
    int unit = MYR, decimals = 0;
    if (time_myr > 0) {
        for (unit = 0; unit < LAST && duration * time_myr < units[unit].myr;)
            unit++;
        unit = duration > 0 ? unit : MYR;
        factor = time_myr / units[unit].myr;
    }
    while (duration > 0 && decimals < DECIMALS_MAX &&
           duration * factor * fn_pow(10, decimals) < 100)
        decimals++;
    char number[64];
    print_number(number, sizeof number, time * factor, decimals);
    if (time_myr > 0)
        snprintf(out, size, "%s %s", number, units[unit].name);
    else
        snprintf(out, size, "t = %s", number);
}

/* ---- clocks of an expanding universe ---- */

static void say_redshift(char *out, size_t size, const struct cosmology *cosmology, double scale,
                         double gyr)
{
    char number[64];
    const double z = 1 / scale - 1;
    (void)cosmology;
    (void)gyr;
    print_number(number, sizeof number, z, z >= 99.95 ? 0 : z >= 9.995 ? 1 : 2);
    snprintf(out, size, "z = %s", number);
}

static void say_scale(char *out, size_t size, const struct cosmology *cosmology, double scale,
                      double gyr)
{
    (void)cosmology;
    (void)gyr;
    snprintf(out, size, scale < 0.09995 ? "a = %.4f" : "a = %.3f", scale);
}

/* Writes Gyr with two decimals, or whole Myr below a Gyr. */
static void say_gyr(char *out, size_t size, double gyr, const char *after)
{
    if (gyr < 0.9995)
        snprintf(out, size, "%.0f Myr %s", 1e3 * gyr, after);
    else
        snprintf(out, size, "%.2f Gyr %s", gyr, after);
}

static void say_age(char *out, size_t size, const struct cosmology *cosmology, double scale,
                    double gyr)
{
    (void)cosmology;
    (void)scale;
    say_gyr(out, size, gyr, "after the Big Bang");
}

static void say_lookback(char *out, size_t size, const struct cosmology *cosmology, double scale,
                         double gyr)
{
    const double now = gyr * cosmology_age(cosmology, 1) / cosmology_age(cosmology, scale);
    if (!(now > 0)) /* a never reaches 1, which is today */
        say_age(out, size, cosmology, scale, gyr);
    else if (fabs(now - gyr) < 0.5e-3)
        snprintf(out, size, "today");
    else if (now > gyr)
        say_gyr(out, size, now - gyr, "ago");
    else
        say_gyr(out, size, gyr - now, "from now");
}

static const struct clock_scale clock_scales[] = {
    {"time", "the simulated time, in an expanding universe its age", NULL},
    {"redshift", "z = 2.31", say_redshift},
    {"scale-factor", "a = 0.302", say_scale},
    {"age", "2.85 Gyr after the Big Bang", say_age},
    {"lookback", "10.92 Gyr ago", say_lookback},
};
const struct registry clock_scale_registry = REGISTRY_OF("clock", clock_scales);

/* Whether the text of a time without a sign, "0 Gyr" or "t = 0", says 0. */
static bool is_zero(const char *text)
{
    text += strcspn(text, "0123456789");
    return text[0] == '0' && (text[1] == ' ' || text[1] == '\0');
}

void overlay_clock_say(const struct overlay_clock *clock, double time, char *out, size_t size)
{
    const struct cosmology *cosmology = &clock->cosmology;
    const double age = clock->age + time;
    if (clock->as && clock->as->say) {
        clock->as->say(out, size, cosmology, cosmology_scale_at(cosmology, age),
                       age * clock->time_myr / 1e3);
        return;
    }
    const bool counts = clock->event_name != NULL;
    const double shown = counts ? time - clock->event : clock->epoch + time;
    const bool named = counts && clock->event_name[0];
    overlay_clock_text(out, size, named ? fabs(shown) : shown, clock->time_myr, clock->duration);
    if (named && (fabs(shown) <= clock->event_reach || is_zero(out))) {
        snprintf(out, size, "%.64s", clock->event_name);
        return;
    }
    const size_t used = strlen(out);
    if (named)
        snprintf(out + used, size - used, " %s %.64s", shown < 0 ? "before" : "after",
                 clock->event_name);
}

/* ---- lengths ---- */

static double round_down(double value)
{
    double power = fn_pow(10, floor(fn_log10(value)));
    if (power > value) /* log10 may round up */
        power /= 10;
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

#define AU_IN_PARSECS (M_PI / 648000)
#define KM_IN_PARSECS (AU_IN_PARSECS / 149597870.7)

/* One unit of a family, and the length in parsecs from which it reads best. */
struct length_step {
    const char *name;
    double parsecs, from;
};

/* The last one has no limit. */
static const struct length_step parsecs[] = {{"Gpc", 1e9, 1e9},
                                             {"Mpc", 1e6, 1e6},
                                             {"kpc", 1e3, 1e3},
                                             {"pc", 1, 0.00999},
                                             {"au", AU_IN_PARSECS, 0.04999 * AU_IN_PARSECS},
                                             {"km", KM_IN_PARSECS, 0}},
                                light_years[] = {{"ly", 1 / LIGHT_YEARS_IN_A_PARSEC,
                                                  0.00999 / LIGHT_YEARS_IN_A_PARSEC},
                                                 {"au", AU_IN_PARSECS, 0.04999 * AU_IN_PARSECS},
                                                 {"km", KM_IN_PARSECS, 0}},
                                over_h[] = {{"Gpc/h", 1e9, 1e9},
                                            {"Mpc/h", 1e6, 1e6},
                                            {"kpc/h", 1e3, 1e3},
                                            {"pc/h", 1, 0}},
                                planetary[] = {{"au", AU_IN_PARSECS, 0}},
                                kilometres[] = {{"km", KM_IN_PARSECS, 0}};

const struct length_unit length_parsecs = {
    "kpc", "parsecs with prefixes, and au or km for systems of planets and moons", parsecs, false,
    "c"};
const struct length_unit length_light_years = {
    "ly", "light years, and au or km for systems of planets and moons", light_years, false,
    "comoving "};
static const struct length_unit
    length_over_h = {"kpc/h", "parsecs over h, with prefixes, for bodies of an expanding universe",
                     over_h, true, "c"},
    length_au = {"au", "astronomical units", planetary, false, "comoving "},
    length_km = {"km", "kilometres", kilometres, false, "comoving "};

static const struct length_unit *const length_units[] = {
    &length_parsecs, &length_over_h, &length_light_years, &length_au, &length_km};

const struct registry length_unit_registry = REGISTRY_LIST("unit of length", length_units);

static const struct length_step *step_of(const struct length_unit *unit, double length)
{
    const struct length_step *step = unit->steps;
    while (step->from > 0 && !(length >= step->from))
        step++;
    return step;
}

const char *overlay_length_unit(const struct length_unit *unit, double length_kpc, double *factor)
{
    const struct length_step *step = step_of(unit ? unit : &length_parsecs, 1e3 * length_kpc);
    *factor = 1e3 / step->parsecs;
    return step->name;
}

/* With digits in groups of three, or words for millions and billions. */
static void label_length(char *out, size_t size, double length, const char *name)
{
    char digits[32];
    text_whole(digits, sizeof digits, length);
    if (length >= 0.999e9)
        snprintf(out, size, "%g billion %s", length / 1e9, name);
    else if (length >= 0.999e6)
        snprintf(out, size, "%g million %s", length / 1e6, name);
    else if (length >= 0.999)
        snprintf(out, size, "%s %s", digits, name);
    else
        snprintf(out, size, "%g %s", length, name);
}

void overlay_scale_bar(struct overlay_scale *out, double pixels_per_unit, double longest,
                       double length_kpc, const struct length_unit *unit, bool comoving)
{
    *out = (struct overlay_scale){0};
    const double most = longest / pixels_per_unit;
    const char *name = NULL;
    char named[24];
    double factor = 1; /* from the scene's unit to the label's */
    if (length_kpc > 0) {
        name = overlay_length_unit(unit, most * length_kpc, &factor);
        factor *= length_kpc;
    }
    if (!(pixels_per_unit > 0) || !(most * factor > 1e-200) || !(most * factor < 1e200))
        return;
    const double length = round_down(most * factor);
    out->units = length / factor;
    out->pixels = out->units * pixels_per_unit;
    if (name && comoving) {
        snprintf(named, sizeof named, "%s%s", unit ? unit->comoving : length_parsecs.comoving,
                 name);
        name = named;
    }
    if (name)
        label_length(out->label, sizeof out->label, length, name);
    else
        snprintf(out->label, sizeof out->label, "%g %s", length, length == 1 ? "unit" : "units");
}

double overlay_caption_opacity(double seconds, double from, double to, double fade)
{
    if (!(seconds >= from && seconds < to))
        return 0;
    fade = fmin(fade, (to - from) / 2);
    double x = fade > 0 ? fmin(1, fmin(seconds - from, to - seconds) / fade) : 1;
    return x * x * (3 - 2 * x);
}

void overlay_count_text(char *out, size_t size, uint64_t bodies)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, bodies);
    text_thousands(digits);
    snprintf(out, size, "%s %s", digits, bodies == 1 ? "body" : "bodies");
}

void overlay_drift_text(char *out, size_t size, double percent)
{
    const double most = fabs(percent);
    int decimals = most > 0 ? 1 - (int)floor(fn_log10(most * (1 + 1e-12))) : 0;
    decimals = decimals < 0 ? 0 : decimals > 7 ? 7 : decimals;
    if (most < 1e-6)
        snprintf(out, size, "drift of total 0 %%");
    else
        snprintf(out, size, most < 1e6 ? "drift of total %s%.*f %%" : "drift of total %s%.*e %%",
                 percent < 0 ? MINUS : "+", decimals, most);
}
