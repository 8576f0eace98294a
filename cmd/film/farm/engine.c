#include "cmd/film/farm/engine.h"

static const struct farm_engine *const engines[] = {&farm_slurm, &farm_opencue, &farm_make};
const struct registry farm_engine_registry = REGISTRY_LIST("engine", engines);
