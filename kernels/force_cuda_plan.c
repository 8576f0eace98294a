#include "kernels/force.h"
