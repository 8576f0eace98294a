#include "base/cosmology.h"

#include "base/functions/fn.h"

#include <math.h>

double cosmology_rate(const struct cosmology *cosmology, double a)
{
    const double matter = cosmology->matter, lambda = cosmology->lambda;
    return sqrt(matter / (a * a * a) + (1 - matter - lambda) / (a * a) + lambda);
}

/* Integrates over s, with a = a_now s^2, by Simpson's rule. */
double cosmology_age(const struct cosmology *cosmology, double a)
{
    enum { STEPS = 2000 };
    double sum = 0;
    for (int i = 1; i <= STEPS; i++) {
        const double s = (double)i / STEPS;
        const double value = 2 / (s * cosmology_rate(cosmology, a * s * s));
        sum += (i == STEPS ? 1 : i % 2 ? 4 : 2) * value;
    }
    return sum / (3 * STEPS);
}

/* Newton's method in log a, whose derivative of the age is 1 / E. */
double cosmology_scale(const struct cosmology *cosmology, double age)
{
    enum { MOST = 60 };
    static const double enough = 1e-14, longest = 1;
    double a = fn_cbrt(2.25 * cosmology->matter * age * age); /* starts with matter alone */
    if (!(a > 0))
        return 0;
    for (int i = 0; i < MOST; i++) {
        const double rate = cosmology_rate(cosmology, a);
        const double step = rate > 0 ? (age - cosmology_age(cosmology, a)) * rate
                                     : -longest; /* beyond the largest size */
        a *= fn_exp(fmin(fmax(step, -longest), longest));
        if (fabs(step) < enough)
            break;
    }
    return a;
}

double cosmology_scale_at(const struct cosmology *cosmology, double age)
{
    return cosmology_scale(cosmology, age * cosmology->hubble);
}

double cosmology_acceleration(const struct cosmology *cosmology, double a)
{
    return cosmology->lambda * a - 0.5 * cosmology->matter / (a * a);
}
