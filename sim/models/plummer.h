/* The Plummer sphere, also for measurements that need one. */
#pragma once

#include "sim/params.h"

extern const struct bodies_model model_plummer;
