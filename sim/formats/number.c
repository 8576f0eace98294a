#include "sim/formats/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool body_number(const char *word, double *out)
{
    char *end;
    *out = strtod(word, &end);
    return end != word && !*end && !word[strspn(word, "0123456789+-.eE")] && isfinite(*out);
}
