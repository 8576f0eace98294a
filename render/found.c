#include "render/found.h"

#include <math.h>

void found_light_add(struct found_light *seen, double frame,
                     double cell[FOUND_LIGHT_SIDE][FOUND_LIGHT_SIDE], double everywhere)
{
    if (seen->times == FOUND_LIGHT_TIMES || everywhere == 0)
        return;
    seen->frame[seen->times] = frame;
    for (int row = 0; row < FOUND_LIGHT_SIDE; row++)
        for (int column = 0; column < FOUND_LIGHT_SIDE; column++)
            seen->cell[seen->times][row][column] =
                (uint16_t)round(FOUND_LIGHT_ALL * cell[row][column] / everywhere);
    seen->times++;
}
