#include "render/colour/star_colours.h"

#include "base/functions/fn.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* ---- black body ---- */

/* One lobe of the fit: a Gaussian with different widths left and right of its centre;
 * nanometres. */
static double lobe(double wavelength, double height, double centre, double left, double right)
{
    const double away = (wavelength - centre) * (wavelength < centre ? left : right);
    return height * fn_exp(-0.5 * away * away);
}

static void observe(double nm, double xyz[3])
{
    xyz[0] = lobe(nm, 0.362, 442.0, 0.0624, 0.0374) + lobe(nm, 1.056, 599.8, 0.0264, 0.0323) +
             lobe(nm, -0.065, 501.1, 0.0490, 0.0382);
    xyz[1] = lobe(nm, 0.821, 568.8, 0.0213, 0.0247) + lobe(nm, 0.286, 530.9, 0.0613, 0.0322);
    xyz[2] = lobe(nm, 1.217, 437.0, 0.0845, 0.0278) + lobe(nm, 0.681, 459.0, 0.0385, 0.0725);
}

void black_body_shown(double kelvin, float shown[3])
{
    static const double to_light[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                          {-0.9692660, 1.8760108, 0.0415560},
                                          {0.0556434, -0.2040259, 1.0572252}};
    const double second_constant = 1.438776877e7; /* radiation constant c2, nm K */
    double sum[3] = {0}, light[3] = {0}, most = 0;
    for (int nm = 380; nm <= 780; nm += 5) {
        double xyz[3];
        observe(nm, xyz);
        const double power = fn_pow(nm / 560.0, -5) / fn_expm1(second_constant / (nm * kelvin));
        for (int i = 0; i < 3; i++)
            sum[i] += power * xyz[i];
    }
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            light[c] += to_light[c][i] * sum[i];
        light[c] = fmax(light[c], 0);
        most = fmax(most, light[c]);
    }
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(light[c] / most, 1 / 2.2);
}

/* ---- stars ---- */

/* Bulges and halos have old stars, whose light is that of red giants. Disks have young ones, whose
 * light is that of a few hot stars. Gas shines in the hydrogen lines H alpha and H beta. */
static const struct star_kind kinds[] = {
    {.name = "bulge", .kelvin = 3500, .brightness = 2},
    {.name = "bar", .kelvin = 4000, .brightness = 1},
    {.name = "halo", .kelvin = 4600, .brightness = 0.2},
    {.name = "plummer", .kelvin = 4800, .brightness = 1}, /* globular clusters are old */
    {.name = "king", .kelvin = 4800, .brightness = 1},
    {.name = "globular", .kelvin = 4800, .brightness = 1},
    {.name = "hernquist", .kelvin = 4000, .brightness = 1}, /* an elliptical galaxy */
    {.name = "gas", .shown = {1, 0.36f, 0.55f}, .brightness = 0.6},
    {.name = "disk", .kelvin = 25000, .brightness = 1},
    {.name = "disc", .kelvin = 25000, .brightness = 1},
    {.name = "star", .kelvin = 5800, .brightness = 1},
};

static bool has_word(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (; *name; name++)
        if (strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

const struct star_kind *star_kind_of(const char *component)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (has_word(component, kinds[i].name))
            return &kinds[i];
    return NULL;
}

double star_kelvin(double age)
{
    return 4000 * fn_pow(10 / fmin(fmax(age, STAR_YOUNGEST), STAR_OLDEST), 0.6);
}

void star_age_shown(double place, float shown[3])
{
    static const double luma[3] = {0.2126, 0.7152, 0.0722};
    static const double vivid = 1.8;
    double light[3], grey = 0, most = 0;
    black_body_shown(star_kelvin(STAR_YOUNGEST * fn_pow(STAR_OLDEST / STAR_YOUNGEST, place)),
                     shown);
    for (int c = 0; c < 3; c++) {
        light[c] = fn_pow(shown[c], 2.2);
        grey += luma[c] * light[c];
    }
    for (int c = 0; c < 3; c++) {
        light[c] = fmax(grey + vivid * (light[c] - grey), 0.02 * grey);
        most = fmax(most, light[c]);
    }
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(light[c] / most, 1 / 2.2);
}

void star_kind_shown(const struct star_kind *kind, float shown[3])
{
    if (kind->kelvin > 0)
        black_body_shown(kind->kelvin, shown);
    else
        memcpy(shown, kind->shown, sizeof kind->shown);
}
