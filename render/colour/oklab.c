#include "render/colour/oklab.h"

void oklab_to_light(const double lab[3], double light[3])
{
    static const double to_root[3][2] = {{0.3963377774, 0.2158037573},
                                         {-0.1055613458, -0.0638541728},
                                         {-0.0894841775, -1.2914855480}};
    static const double to_light[3][3] = {{4.0767416621, -3.3077115913, 0.2309699292},
                                          {-1.2684380046, 2.6097574011, -0.3413193965},
                                          {-0.0041960863, -0.7034186147, 1.7076147010}};
    double cone[3];
    for (int i = 0; i < 3; i++) {
        const double root = lab[0] + to_root[i][0] * lab[1] + to_root[i][1] * lab[2];
        cone[i] = root * root * root;
    }
    for (int c = 0; c < 3; c++) {
        light[c] = 0;
        for (int i = 0; i < 3; i++)
            light[c] += to_light[c][i] * cone[i];
    }
}
