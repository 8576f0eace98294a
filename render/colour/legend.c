#include "render/colour/legend.h"

#include "base/functions/fn.h"
#include "render/shaders/colour_velocity.glsl"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- oklab ---- */

void oklab_to_light(const double lab[3], double light[3])
{
    static const double to_light[3][3] = {{OKLAB_RED}, {OKLAB_GREEN}, {OKLAB_BLUE}};
    const double root[3] = {OKLAB_ROOTS(lab[0], lab[1], lab[2])};
    double cone[3];
    for (int i = 0; i < 3; i++)
        cone[i] = root[i] * root[i] * root[i];
    for (int c = 0; c < 3; c++) {
        light[c] = 0;
        for (int i = 0; i < 3; i++)
            light[c] += to_light[c][i] * cone[i];
    }
}

/* ---- legend ---- */

static void mix(const float from[3], const float to[3], double part, float out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (float)((1 - part) * from[c] + part * to[c]);
}

static const float white[3] = {1, 1, 1};

void legend_tint(const float tint[3], double saturation, float shown[3])
{
    mix(white, tint, saturation, shown);
}

/* Same as in shaders/colours.glsl: greyer at the same lightness. */
void legend_mapped(const struct legend_look *look, int bar, double place, float shown[3])
{
    static const double lightness[3] = {0.2126, 0.7152, 0.0722};
    (void)bar;
    double grey = 0;
    colour_map_at(look->map, (float)place, shown);
    for (int c = 0; c < 3; c++)
        grey += lightness[c] * fn_pow(shown[c], 2.2);
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(
            (1 - look->saturation) * grey + look->saturation * fn_pow(shown[c], 2.2), 1 / 2.2);
}

/* Same as in shaders/colours.glsl, for a motion along one axis. */
void legend_velocity_rgb(const struct legend_look *look, int bar, double place, float shown[3])
{
    float hue[3] = {0.5f, 0.5f, 0.5f};
    hue[bar] = (float)place;
    float most = fmaxf(hue[bar], 0.5f);
    for (int c = 0; c < 3; c++)
        hue[c] /= most;
    legend_tint(hue, look->saturation, shown);
}

/* Darker than the lightness in shaders/colour_velocity.glsl, so that every hue can be shown. */
void legend_velocity(const struct legend_look *look, const double moves[3], float shown[3])
{
    const double hue[2] = {VELOCITY_HUE(moves[0], moves[1])}, brightness = 0.42;
    const double size = sqrt(moves[0] * moves[0] + moves[1] * moves[1]);
    const double chroma = VELOCITY_CHROMA(look->saturation, size);
    const double lab[3] = {1 + VELOCITY_NEARING * moves[2], chroma * hue[0], chroma * hue[1]};
    double light[3];
    oklab_to_light(lab, light);
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(fmin(fmax(brightness * light[c], 0), 1), 1 / 2.2);
}

/* Same as in shaders/colours.glsl. */
void legend_radial(const struct legend_look *look, int bar, double place, float shown[3])
{
    static const float ends[2][3] = {{0.02f, 0.25f, 1.0f}, {1.0f, 0.1f, 0.02f}};
    (void)bar;
    double away = 2 * place - 1, size = fabs(away);
    float hue[3];
    mix(white, ends[away > 0], size * (2 - size), hue);
    legend_tint(hue, look->saturation, shown);
}

void legend_number(char *out, int size, double value)
{
    static const char minus[] = "\xe2\x88\x92";
    char digits[32];
    const double most = fabs(value);
    bool plain = most == 0 || (most >= 0.99e-3 && most < 0.99e6);
    snprintf(digits, sizeof digits, plain ? "%.6g" : "%.2e", most);
    char *exponent = strchr(digits, 'e');
    if (exponent) { /* 2.00e-05 -> 2e-5 */
        int power = (int)strtol(exponent + 1, NULL, 10);
        snprintf(digits, sizeof digits, "%.3ge%d", most / fn_pow(10, power), power);
    }
    snprintf(out, (size_t)size, "%s%s", value < 0 ? minus : "", digits);
}

static void add_tick(struct legend_ticks *ticks, double place, double value)
{
    if (ticks->count == LEGEND_TICKS_MAX)
        return;
    ticks->tick[ticks->count].place = place;
    legend_number(ticks->tick[ticks->count].label, sizeof ticks->tick[0].label, value);
    ticks->count++;
}

/* The smallest of 1, 2 and 5 times a power of ten that is at least `value`. */
static double round_up(double value)
{
    static const double steps[] = {1, 2, 5, 10, 20};
    double power = fn_pow(10, floor(fn_log10(value)));
    int i = 0;
    while (steps[i] * power < value * (1 - 1e-9))
        i++;
    return steps[i] * power;
}

/* The largest of 1, 2 and 5 times a power of ten that is at most `value`. */
static double round_down(double value)
{
    const double power = fn_pow(10, floor(fn_log10(value) + 1e-9)),
                 share = value / power * (1 + 1e-9);
    return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

/* Labels the value, unless the tick before has the same label. */
static void add_between(struct legend_ticks *ticks, bool logarithmic, double from, double to,
                        double value)
{
    const double place = logarithmic ? fn_log(value / from) / fn_log(to / from)
                                     : (value / 2 - from / 2) / (to / 2 - from / 2);
    const int before = ticks->count - 1;
    add_tick(ticks, fmin(fmax(place, 0), 1), value);
    if (before >= 0 && ticks->count == before + 2 &&
        strcmp(ticks->tick[before].label, ticks->tick[before + 1].label) == 0)
        ticks->count--;
}

static void add_steps(struct legend_ticks *out, double from, double to, int most)
{
    const double slack = 1e-9;
    double step = round_up((to / 2 - from / 2) / most * 2);
    if (floor(to / step + slack) - ceil(from / step - slack) < 1) /* one tick shows no scale */
        step = round_down(0.99 * step);
    for (double i = ceil(from / step - slack); i <= floor(to / step + slack); i++)
        add_between(out, false, from, to, i * step);
}

/* Adds numbers of two digits just inside the ends. */
static void add_ends(struct legend_ticks *out, bool logarithmic, double from, double to)
{
    const double range = to / 2 - from / 2;
    const double low = fn_pow(10, floor(fn_log10(logarithmic ? from : 2 * range)) - 1),
                 high = logarithmic ? fn_pow(10, floor(fn_log10(to)) - 1) : low;
    const double first = ceil(from / low * (1 - 1e-12)) * low,
                 last = floor(to / high * (1 + 1e-12)) * high;
    if (!(first < last))
        return;
    add_between(out, logarithmic, from, to, first);
    add_between(out, logarithmic, from, to, last);
}

/* Adds powers of ten, at most `most` + 1; if there are few, also 2 and 5 times each. */
static void add_powers(struct legend_ticks *out, double from, double to, int most)
{
    static const double parts[] = {1, 2, 5};
    const int first = (int)ceil(fn_log10(from) - 1e-9), last = (int)floor(fn_log10(to) + 1e-9);
    const int each = last > first ? (last - first) / most + 1 : 1;
    for (int power = first; power <= last && last > first; power += each)
        add_between(out, true, from, to, fn_pow(10, power));
    for (int power = first - 1; power <= last && last <= first; power++)
        for (int k = 0; k < 3; k++) {
            const double value = parts[k] * fn_pow(10, power);
            if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9))
                add_between(out, true, from, to, value);
        }
}

void legend_ticks_between(struct legend_ticks *out, bool logarithmic, double from, double to,
                          int most)
{
    out->count = 0;
    if (!(from < to && isfinite(from) && isfinite(to)) || (logarithmic && !(from > 0)) || most < 1)
        return;
    if (logarithmic)
        add_powers(out, from, to, most);
    else
        add_steps(out, from, to, most);
    if (out->count >= 2 && out->count <= most + 1)
        return;
    out->count = 0;
    add_ends(out, logarithmic, from, to);
}

void legend_ticks(struct legend_ticks *out, const struct legend *legend, double full, int most)
{
    out->count = 0;
    if (!(full > 1e-200 && full < 1e200) || most < 1)
        return;
    const double decades = legend->from_one ? fn_log10(full) : legend->decades;
    if (decades > 0) {
        const double last_power = legend->from_one ? full / 2 : full;
        int last = (int)floor(fn_log10(last_power) + 1e-9);
        int first = (int)ceil(fn_log10(full) - decades - 1e-9);
        int each = (last - first) / most + 1;
        for (int power = first; power <= last; power += each)
            add_tick(out, 1 + (power - fn_log10(full)) / decades, fn_pow(10, power));
        if (legend->from_one)
            add_tick(out, 1, full);
        return;
    }
    double step = round_up(full / most);
    if (step > full * (1 + 1e-9)) { /* a single 0 does not show the scale */
        step = round_down(full);
        const double fit = floor(full / step * (1 + 1e-9));
        step *= fit > most ? fit : 1;
    }
    int count = (int)floor(full / step * (1 + 1e-9));
    for (int i = legend->signed_scale ? -count : 0; i <= count; i++) {
        double share = i * step / full;
        add_tick(out, legend->signed_scale ? (1 + share) / 2 : share, i * step);
    }
}
