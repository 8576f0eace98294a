#include "render/post/tone.h"

#include "base/choice.h"
#include "render/params.h"

extern const char shader_tone_log_glsl[], shader_tone_agx_glsl[], shader_tone_linear_glsl[];

const struct tone tone_filmic = {
    .name = "filmic",
    .doc = "light adds up in its colours, and far above white loses them, as on film",
    .white = 5,
};

static const struct tone tone_log = {
    .name = "log",
    .doc =
        "logarithmic, from where the faintest hundredth of the light is to the core's, in the mean "
        "colour of a pixel's bodies: tails are seen beside cores, and cores keep their colour",
    .by_density = true,
    .white = 1,
    .glsl = shader_tone_log_glsl,
};

static const struct tone tone_agx = {
    .name = "agx",
    .doc = "a camera's wide curve in the mean colour of a pixel's bodies, paler towards white "
           "(T. Sobotka's AgX)",
    .by_density = true,
    .white = 3,
    .glsl = shader_tone_agx_glsl,
};

static const struct tone tone_linear = {
    .name = "linear",
    .doc = "in proportion to the light, up to white, in the mean colour of a pixel's bodies: for "
           "measuring",
    .by_density = true,
    .proportional = true,
    .white = 1,
    .glsl = shader_tone_linear_glsl,
};

static const struct tone *const list[] = {&tone_log, &tone_filmic, &tone_agx, &tone_linear};

const struct registry tone_registry = REGISTRY_LIST("tone curve", list);
