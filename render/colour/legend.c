#include "render/colour/legend.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/params.h"
#include "render/shaders/colour_velocity.glsl"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct colour_map plasma = {
    .name = "plasma",
    .doc = "blue over pink and orange to yellow",
    .shown = {
        {13, 8, 135}, {34, 6, 144}, {49, 5, 150}, {63, 4, 156}, {76, 2, 161}, {89, 1, 165},
        {102, 0, 167}, {114, 1, 168}, {126, 3, 168}, {137, 9, 166}, {149, 17, 162}, {159, 26, 156},
        {169, 35, 150}, {178, 44, 142}, {187, 53, 135}, {195, 62, 128}, {203, 71, 120}, {210, 80, 113},
        {217, 89, 106}, {224, 98, 99}, {230, 108, 92}, {235, 117, 85}, {240, 127, 79}, {244, 138, 72},
        {248, 148, 65}, {251, 159, 58}, {253, 171, 51}, {254, 183, 45}, {253, 195, 40}, {252, 208, 37},
        {249, 221, 37}, {245, 235, 39}, {240, 249, 33},
    },
};

static const struct colour_map viridis = {
    .name = "viridis",
    .doc = "violet over green to yellow",
    .shown = {
        {68, 1, 84}, {71, 13, 96}, {72, 24, 106}, {72, 35, 116}, {71, 45, 123}, {69, 54, 129},
        {66, 64, 134}, {63, 73, 137}, {59, 82, 139}, {55, 90, 141}, {51, 99, 141}, {47, 106, 142},
        {44, 114, 142}, {41, 122, 142}, {38, 129, 142}, {35, 137, 142}, {33, 144, 140}, {31, 152, 139},
        {31, 159, 136}, {33, 166, 133}, {40, 174, 128}, {49, 181, 123}, {62, 188, 116}, {76, 194, 108},
        {93, 201, 99}, {110, 206, 88}, {130, 211, 76}, {150, 216, 63}, {171, 220, 50}, {192, 223, 36},
        {213, 226, 26}, {234, 229, 26}, {253, 231, 37},
    },
};

static const struct colour_map inferno = {
    .name = "inferno",
    .doc = "black over violet, red and orange to pale yellow",
    .shown = {
        {0, 0, 4}, {4, 3, 18}, {11, 7, 36}, {21, 11, 55}, {33, 12, 74}, {46, 10, 90},
        {60, 9, 101}, {74, 12, 107}, {87, 16, 109}, {99, 20, 110}, {112, 25, 110}, {125, 30, 109},
        {137, 34, 106}, {150, 39, 102}, {163, 43, 97}, {175, 49, 92}, {187, 55, 85}, {198, 62, 77},
        {209, 70, 68}, {219, 79, 59}, {227, 89, 50}, {235, 101, 40}, {241, 113, 30}, {246, 127, 20},
        {249, 141, 10}, {251, 156, 6}, {252, 171, 15}, {251, 186, 31}, {249, 202, 50}, {245, 217, 73},
        {242, 232, 101}, {243, 245, 134}, {252, 255, 164},
    },
};

static const struct colour_map magma = {
    .name = "magma",
    .doc = "black over violet and pink to pale yellow",
    .shown = {
        {0, 0, 4}, {3, 3, 17}, {10, 8, 34}, {19, 13, 51}, {29, 17, 70}, {40, 17, 90},
        {54, 16, 106}, {67, 15, 118}, {80, 18, 124}, {93, 23, 127}, {105, 28, 129}, {118, 33, 129},
        {130, 38, 129}, {143, 42, 129}, {156, 46, 127}, {169, 50, 125}, {182, 55, 121}, {195, 59, 117},
        {207, 65, 112}, {219, 72, 106}, {230, 81, 99}, {238, 92, 94}, {245, 105, 92}, {249, 120, 93},
        {251, 135, 97}, {253, 150, 104}, {254, 165, 113}, {254, 180, 123}, {254, 195, 135}, {254, 209, 148},
        {253, 224, 162}, {252, 238, 176}, {252, 253, 191},
    },
};

static const struct colour_map cividis = {
    .name = "cividis",
    .doc = "blue over grey to yellow, the same for colour-blind viewers",
    .shown = {
        {0, 34, 78}, {0, 40, 91}, {0, 46, 106}, {4, 51, 113}, {26, 56, 111}, {39, 62, 110},
        {50, 67, 109}, {59, 73, 108}, {67, 78, 108}, {75, 84, 108}, {82, 89, 109}, {90, 95, 110},
        {97, 101, 111}, {104, 106, 113}, {111, 112, 115}, {117, 118, 118}, {124, 123, 120}, {132, 129, 121},
        {139, 135, 120}, {147, 141, 120}, {155, 147, 118}, {163, 154, 117}, {171, 160, 114}, {179, 166, 112},
        {187, 173, 108}, {195, 180, 105}, {204, 186, 100}, {212, 193, 95}, {221, 201, 88}, {230, 208, 81},
        {239, 215, 72}, {248, 223, 60}, {254, 232, 56},
    },
};

static const struct colour_map turbo = {
    .name = "turbo",
    .doc = "a smooth rainbow from blue over green to red; not even in lightness",
    .shown = {
        {48, 18, 59}, {57, 42, 115}, {64, 64, 161}, {68, 86, 199}, {70, 107, 227}, {70, 127, 246},
        {66, 147, 255}, {55, 167, 250}, {41, 187, 236}, {29, 205, 216}, {24, 220, 195}, {30, 232, 176},
        {49, 242, 153}, {76, 249, 126}, {107, 253, 100}, {138, 255, 77}, {163, 253, 60}, {184, 247, 53},
        {204, 237, 52}, {222, 224, 55}, {237, 208, 58}, {248, 192, 58}, {253, 174, 53}, {254, 152, 44},
        {251, 128, 34}, {245, 104, 23}, {236, 82, 15}, {224, 64, 9}, {210, 49, 5}, {192, 35, 2},
        {172, 23, 1}, {149, 13, 1}, {122, 4, 3},
    },
};

static const struct colour_map starlight = {
    .name = "starlight",
    .doc = "blue as young stars over white to the gold of old ones",
    .shown = {
        {85, 125, 205}, {88, 128, 209}, {91, 131, 212}, {94, 135, 214}, {98, 138, 217}, {102, 141, 219},
        {105, 144, 221}, {109, 147, 223}, {113, 151, 225}, {118, 154, 226}, {122, 157, 227}, {127, 161, 228},
        {132, 164, 228}, {137, 167, 228}, {142, 170, 228}, {147, 174, 228}, {152, 177, 227}, {158, 180, 226},
        {164, 183, 225}, {170, 187, 223}, {176, 190, 221}, {182, 193, 219}, {188, 196, 216}, {195, 199, 213},
        {202, 202, 210}, {208, 205, 206}, {215, 208, 202}, {223, 211, 198}, {230, 214, 192}, {237, 216, 187},
        {245, 219, 181}, {253, 221, 174}, {255, 224, 167},
    },
};

/* clang-format on */

static const struct colour_map grey = {
    .name = "grey",
    .doc = "black to white, with light in proportion to the number: for measuring",
    .proportional = true,
};

static const struct colour_map *const list[] = {&plasma,  &viridis, &inferno,   &magma,
                                                &cividis, &turbo,   &starlight, &grey};

const struct registry colour_map_registry = REGISTRY_LIST("colour map", list);

void colour_map_at(const struct colour_map *map, float value, float shown[3])
{
    for (int c = 0; c < 3 && map->proportional; c++)
        shown[c] = (float)fn_pow(fminf(fmaxf(value, 0), 1), 1 / 2.2f);
    if (map->proportional)
        return;
    float place = fminf(fmaxf(value, 0), 1) * (COLOUR_MAP_STOPS - 1);
    int below = (int)fminf(place, COLOUR_MAP_STOPS - 2);
    float part = place - (float)below;
    for (int c = 0; c < 3; c++)
        shown[c] = ((1 - part) * map->shown[below][c] + part * map->shown[below + 1][c]) / 255.0f;
}

/* ---- legend ---- */

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
    double light = 0;
    colour_map_at(look->map, (float)place, shown);
    for (int c = 0; c < 3; c++)
        light += lightness[c] * fn_pow(shown[c], 2.2);
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(
            (1 - look->saturation) * light + look->saturation * fn_pow(shown[c], 2.2), 1 / 2.2);
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
