#include "base/choice.h"
#include "sim/params.h"

/* A new model is a file with its entry, and a row here. */
extern const struct bodies_model model_galaxies, model_rings, model_plummer, model_hernquist,
    model_nfw, model_king, model_uniform, model_cube, model_shell, model_list, model_file,
    model_snapshots;
static const struct bodies_model *const models[] = {
    &model_galaxies, &model_rings, &model_plummer, &model_hernquist, &model_nfw,  &model_king,
    &model_uniform,  &model_cube,  &model_shell,   &model_list,      &model_file, &model_snapshots,
};
const struct registry model_registry = REGISTRY_LIST("model", models);
