#include "sim/models/model.h"

static const struct bodies_model *const models[] = {&model_galaxies, &model_plummer, &model_file};
const struct registry model_registry = REGISTRY_LIST("model", models);
