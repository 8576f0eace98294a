#include "render/post/tone.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/params.h"

#include <math.h>

extern const char shader_tone_log_glsl[], shader_tone_asinh_glsl[], shader_tone_agx_glsl[],
    shader_tone_linear_glsl[];

static double light_filmic(double shown, double contrast)
{
    (void)contrast;
    return -fn_log1p(-shown);
}

static double light_log(double shown, double contrast)
{
    double part = fn_pow(shown, 1 / 2.4);
    if (part > TONE_KNEE)
        part = TONE_KNEE - (1 - TONE_KNEE) * fn_log((1 - part) / (1 - TONE_KNEE));
    return fn_expm1(part * fn_log1p(contrast)) / contrast;
}

static double light_asinh(double shown, double contrast)
{
    const double softening = 300; /* shaders/tones.glsl */
    double part = fn_pow(shown, 1 / 2.2);
    (void)contrast;
    if (part > TONE_KNEE)
        part = TONE_KNEE - (1 - TONE_KNEE) * fn_log((1 - part) / (1 - TONE_KNEE));
    const double full = fn_log(softening + sqrt(1 + softening * softening));
    return (fn_exp(part * full) - fn_exp(-part * full)) / (2 * softening);
}

static double light_linear(double shown, double contrast)
{
    (void)contrast;
    return shown;
}

/* Inverts the polynomial in shaders/tones.glsl, which is increasing where it is above 0. */
static double light_agx(double shown, double contrast)
{
    const double darkest = -12.47393, brightest = 4.026069, goal = fn_pow(shown, 1 / 2.2);
    double low = 0, high = 1;
    (void)contrast;
    for (int i = 0; i < 50; i++) {
        const double x = (low + high) / 2, x2 = x * x, x4 = x2 * x2;
        const double value = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x +
                             0.4298 * x2 + 0.1191 * x - 0.00232;
        *(value < goal ? &low : &high) = x;
    }
    return fn_exp2(darkest + low * (brightest - darkest));
}

const struct tone tone_filmic = {
    .name = "filmic",
    .doc = "light adds up by colour, and fades to white far above white, as on film",
    .white = 5,
    .light = light_filmic,
};

static const struct tone tone_log = {
    .name = "log",
    .doc = "logarithmic, in the mean colour of a pixel's bodies, paler towards white: tails are "
           "visible beside cores, and cores keep their colour",
    .by_density = true,
    .middle = 0.32,
    .light = light_log,
    .glsl = shader_tone_log_glsl,
};

static const struct tone tone_asinh = {
    .name = "asinh",
    .doc =
        "as in astronomers' pictures: linear in faint light, logarithmic in bright light, in the "
        "mean colour of a pixel's bodies, paler towards white. Cores, dust and arms have more "
        "contrast than with log, and the faintest tails are darker (R. Lupton and others)",
    .by_density = true,
    .middle = 0.32,
    .light = light_asinh,
    .glsl = shader_tone_asinh_glsl,
};

static const struct tone tone_agx = {
    .name = "agx",
    .doc = "a camera's wide curve in the mean colour of a pixel's bodies, paler towards white "
           "(T. Sobotka's AgX)",
    .by_density = true,
    .middle = 0.2,
    .light = light_agx,
    .glsl = shader_tone_agx_glsl,
};

static const struct tone tone_linear = {
    .name = "linear",
    .doc = "in proportion to the light, up to white, in the mean colour of a pixel's bodies: for "
           "measuring",
    .by_density = true,
    .proportional = true,
    .light = light_linear,
    .glsl = shader_tone_linear_glsl,
};

static const struct tone *const list[] = {&tone_log, &tone_filmic, &tone_asinh, &tone_agx,
                                          &tone_linear};

const struct registry tone_registry = REGISTRY_LIST("tone curve", list);
