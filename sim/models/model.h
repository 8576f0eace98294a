/* Models: how bodies come to be.
 *
 * A new model is a file with its entry, and a row in model.c. */
#ifndef SIM_MODELS_MODEL_H
#define SIM_MODELS_MODEL_H

#include "base/choice.h"
#include "sim/bodies/bodies.h"
#include "sim/params.h"

extern const struct bodies_model model_galaxies, model_plummer, model_file;

#endif
