/* The values of a scene, by section. */
#pragma once

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
