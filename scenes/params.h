/* The values of a scene, by section. */
#ifndef SCENES_PARAMS_H
#define SCENES_PARAMS_H

#include "render/params.h"
#include "sim/params.h"

struct scene {
    struct bodies_params bodies;
    struct simulation_params simulation;
    struct camera_params camera;
    struct look_params look;
    struct overlay_params overlay;
    struct output_params output;
    struct expect_params expect;
};

#endif
