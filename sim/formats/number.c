#include "sim/formats/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool body_number(const char *word, double *out)
{
    char *end;
    *out = strtod(word, &end);
    return end != word && !*end && !word[strspn(word, "0123456789+-.eE")] && isfinite(*out);
}

int body_number_text(double value, char text[BODY_NUMBER_BYTES])
{
    static const int digits[] = {9, 15, 16};
    for (size_t i = 0; i < sizeof digits / sizeof digits[0]; i++) {
        const int length = snprintf(text, BODY_NUMBER_BYTES, "%.*g", digits[i], value);
        if (strtod(text, NULL) == value)
            return length;
    }
    return snprintf(text, BODY_NUMBER_BYTES, "%.17g", value);
}
