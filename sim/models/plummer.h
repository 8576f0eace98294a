/* The Plummer sphere, also for measurements that need one. */
#ifndef SIM_MODELS_PLUMMER_H
#define SIM_MODELS_PLUMMER_H

#include "sim/params.h"

extern const struct bodies_model model_plummer;

#endif
