#include "render/colour/stars.h"

#include "render/colour/black_body.h"
#include "base/functions/fn.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

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
