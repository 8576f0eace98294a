#include "cmd/regression/judge/rules.h"

#include <math.h>

static const struct choice stages[JUDGED_COUNT] = {
    [JUDGED_SCENE] = {"scene", "the resolved scene, key by key"},
    [JUDGED_START] = {"start", "bodies at frame 0"},
    [JUDGED_PHYSICS] = {"physics", "states of the bodies, frame by frame"},
    [JUDGED_LIGHT] = {"light", "linear light before exposure and tone curve"},
    [JUDGED_PICTURE] = {"picture", "pixels before encoding"},
    [JUDGED_PACKETS] = {"packets", "encoded frames, and their loss"},
    [JUDGED_CONTAINER] = {"container", "the file's metadata: format, colours, times, size"},
};

const struct registry judged_registry = REGISTRY_OF("stage", stages);

const char *judged_name(enum judged stage)
{
    return stages[stage].name;
}

const struct rule rules[RULE_COUNT] = {
#define RULE(id, of, called, in, warns, fails, why, means, ...)                                    \
    {.name = called,                                                                               \
     .doc = means,                                                                                 \
     .stage = JUDGED_##of,                                                                         \
     .unit = in,                                                                                   \
     .warn = warns,                                                                                \
     .fail = fails,                                                                                \
     .because = why,                                                                               \
     __VA_ARGS__},
#include "cmd/regression/judge/rules.def"
};

const struct registry rule_registry = REGISTRY_OF("rule", rules);
