#include "scenes/number.h"

#include <stdio.h>
#include <stdlib.h>

void number_print(double value, char out[NUMBER_TEXT_MAX])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, NUMBER_TEXT_MAX, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            return;
    }
}
