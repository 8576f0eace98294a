/* Models: how bodies come to be.
 *
 * A new model is a file with its entry, and a row in model.c. */
#ifndef SIM_MODELS_MODEL_H
#define SIM_MODELS_MODEL_H

#include "base/choice.h"
#include "sim/bodies/bodies.h"
#include "sim/params.h"

struct bodies_model {
    const char *name, *doc;
    /* From bodies.file: `make` gives all of them, and params->count says how many to keep, 0: all.
     * Else `make` gives params->count bodies. */
    bool reads_file;
    /* STATUS_USAGE for parameters that make no sense, with the scene key. */
    enum status (*make)(const struct bodies_params *params, struct bodies **out);
};

extern const struct registry model_registry; /* of struct bodies_model */

#endif
