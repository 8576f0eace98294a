#include "base/cosmology.h"
#include "tests/support/test.h"

#include <math.h>

/* 1 / H0 for H0 = 70 km/s/Mpc, in Gyr of 365.25 days. */
static const double hubble_gyr = 3.0856775814913673e19 / 70 / 3.15576e16;

/* Ages that astropy 8.0.2 gives for FlatLambdaCDM(H0=70, Om0=0.3) and LambdaCDM(H0=70, Om0=0.3,
 * Ode0=0), without radiation. */
TEST(ages)
{
    static const struct {
        double lambda, z, gyr;
    } known[] = {{0.7, 0, 13.46698395},   {0.7, 0.5, 8.426346018},   {0.7, 2.31, 2.793853202},
                 {0.7, 10, 0.4658872382}, {0.7, 127, 0.01174036548}, {0, 0, 11.29759648},
                 {0, 0.5, 6.782879546},   {0, 2.31, 2.382695732},    {0, 10, 0.4393345673},
                 {0, 127, 0.0116767822}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct cosmology cosmology = {.matter = 0.3, .lambda = known[i].lambda};
        const double age = cosmology_age(&cosmology, 1 / (1 + known[i].z)) * hubble_gyr;
        if (!(fabs(age / known[i].gyr - 1) < 1e-7))
            fail_msg("at z = %g it is %.10g Gyr old, not %.10g", known[i].z, age, known[i].gyr);
    }
}

/* With matter and a cosmological constant in flat space, the age is 2/3 asinh((lambda / matter
 * a^3)^(1/2)) / lambda^(1/2) (Peebles 1993, eq. 13.20). */
TEST(closed_form)
{
    for (int i = 1; i <= 100; i++) {
        const double a = 1.5 * pow(i / 100.0, 3), matter = 0.05 + 0.009 * i, lambda = 1 - matter;
        const struct cosmology cosmology = {.matter = matter, .lambda = lambda};
        const double age = 2 / (3 * sqrt(lambda)) * asinh(sqrt(lambda / matter * a * a * a));
        assert_true(fabs(cosmology_age(&cosmology, a) / age - 1) < 1e-9);
    }
}

TEST(scale_is_the_inverse_of_age)
{
    static const struct cosmology of[] = {{.matter = 1},
                                          {.matter = 0.3, .lambda = 0.7},
                                          {.matter = 0.3},
                                          {.matter = 2, .lambda = 0.1},
                                          {.matter = 0.01, .lambda = 0.99}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (double a = 1e-3; a < 1.1; a *= 1.3) {
            const double age = cosmology_age(&of[k], a);
            assert_true(fabs(cosmology_scale(&of[k], age) / a - 1) < 1e-11);
            /* a'' by the first derivative */
            const double h = 1e-4 * a, up = (a + h) * cosmology_rate(&of[k], a + h),
                         down = (a - h) * cosmology_rate(&of[k], a - h),
                         bend = (up - down) / (2 * h) * a * cosmology_rate(&of[k], a);
            assert_true(fabs(cosmology_acceleration(&of[k], a) - bend) <
                        1e-5 * (fabs(bend) + of[k].matter / (a * a)));
        }
}

TESTS(NULL, NULL)
