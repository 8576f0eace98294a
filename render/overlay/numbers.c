#include "render/overlay/numbers.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/text.h"
#include "render/params.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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
    } units[] = {{"Gyr", 1e3}, {"Myr", 1}, {"kyr", 1e-3}, {"yr", 1e-6}};
    enum { MYR = 1, LAST = 3, DECIMALS_MAX = 6 };
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

static double round_down(double value)
{
    double power = fn_pow(10, floor(fn_log10(value)));
    if (power > value) /* log10 may round up */
        power /= 10;
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

static void label_parsecs(char *out, size_t size, double parsecs)
{
    static const struct {
        const char *name;
        double parsecs;
    } units[] = {{"Gpc", 1e9}, {"Mpc", 1e6}, {"kpc", 1e3}, {"pc", 1}};
    int unit = 0;
    while (unit < 3 && parsecs < 0.999 * units[unit].parsecs)
        unit++;
    snprintf(out, size, "%g %s", parsecs / units[unit].parsecs, units[unit].name);
}

static void label_light_years(char *out, size_t size, double years)
{
    char digits[32];
    text_whole(digits, sizeof digits, years);
    if (years >= 0.999e9)
        snprintf(out, size, "%g billion ly", years / 1e9);
    else if (years >= 0.999e6)
        snprintf(out, size, "%g million ly", years / 1e6);
    else if (years >= 0.999)
        snprintf(out, size, "%s ly", digits);
    else
        snprintf(out, size, "%g ly", years);
}

const struct length_unit length_parsecs = {"kpc", "parsecs", 1, label_parsecs};
const struct length_unit length_light_years = {"ly", "light years", 3.261563777, label_light_years};

static const struct length_unit *const length_units[] = {&length_parsecs, &length_light_years};

const struct registry length_unit_registry = REGISTRY_LIST("unit of length", length_units);

void overlay_scale_bar(struct overlay_scale *out, double pixels_per_unit, double longest,
                       double length_kpc, const struct length_unit *unit)
{
    *out = (struct overlay_scale){0};
    /* Factor from the scene's unit to the label's. */
    double factor = length_kpc > 0 ? 1e3 * length_kpc * unit->per_parsec : 1;
    double most = longest / pixels_per_unit * factor;
    if (!(pixels_per_unit > 0) || !(most > 1e-200) || !(most < 1e200))
        return;
    double length = round_down(most);
    out->units = length / factor;
    out->pixels = out->units * pixels_per_unit;
    if (length_kpc <= 0)
        snprintf(out->label, sizeof out->label, "%g %s", length, length == 1 ? "unit" : "units");
    else
        unit->label(out->label, sizeof out->label, length);
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
