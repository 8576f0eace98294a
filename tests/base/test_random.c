/* The random number generator. */
#include "tests/support/test.h"

#include "base/random.h"

#include <math.h>

TEST(random_numbers_are_spread_as_they_should)
{
    enum { DRAWS = 200000 };
    struct random random = random_of(42, 3, 1);
    double u1 = 0, u2 = 0, n1 = 0, n2 = 0, n4 = 0, d[3] = {0}, d2[3] = {0}, c2 = 0;
    for (int i = 0; i < DRAWS; i++) {
        double u = random_uniform(&random), n = random_normal(&random), e[3], c[2];
        assert_true(u > 0 && u < 1);
        u1 += u / DRAWS;
        u2 += u * u / DRAWS;
        n1 += n / DRAWS;
        n2 += n * n / DRAWS;
        n4 += n * n * n * n / DRAWS;
        random_direction3(&random, e);
        assert_true(fabs(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] - 1) < 1e-14);
        for (int k = 0; k < 3; k++) {
            d[k] += e[k] / DRAWS;
            d2[k] += e[k] * e[k] / DRAWS;
        }
        random_direction2(&random, c);
        assert_true(fabs(c[0] * c[0] + c[1] * c[1] - 1) < 1e-14);
        c2 += c[0] * c[0] / DRAWS;
    }
    assert_true(fabs(u1 - 0.5) < 0.003 && fabs(u2 - 1.0 / 3) < 0.003);
    assert_true(fabs(n1) < 0.01 && fabs(n2 - 1) < 0.015 && fabs(n4 - 3) < 0.12);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(d[k]) < 0.006 && fabs(d2[k] - 1.0 / 3) < 0.004);
    assert_true(fabs(c2 - 0.5) < 0.004);
}

/* The known answer of Philox4x32-10 for counter and key 0 (Salmon et al., kat_vectors). */
TEST(random_bits_follow_the_definition)
{
    struct random random = random_of(0, 0, 0);
    assert_true(random_bits(&random) == 0xe169c58d6627e8d5);
    assert_true(random_bits(&random) == 0x9b00dbd8bc57ac4c);
}

/* Every body of every stream and seed has its own numbers, in any order. */
TEST(bodies_have_numbers_of_their_own)
{
    enum { EACH = 6 };
    const uint64_t bodies[EACH] = {0, 1, UINT32_MAX, (uint64_t)UINT32_MAX + 1, 1, 0};
    const uint64_t seeds[EACH] = {7, 7, 7, 7, 7, (uint64_t)7 << 32};
    const uint32_t streams[EACH] = {0, 0, 0, 0, 1, 0};
    uint64_t bits[EACH][3];
    for (int i = 0; i < EACH; i++) {
        struct random random = random_of(seeds[i], streams[i], bodies[i]);
        for (int k = 0; k < 3; k++)
            bits[i][k] = random_bits(&random);
        for (int before = 0; before < i; before++)
            assert_true(bits[i][0] != bits[before][0] && bits[i][2] != bits[before][2]);
    }
    for (int i = EACH - 1; i >= 0; i--) {
        struct random random = random_of(seeds[i], streams[i], bodies[i]);
        for (int k = 0; k < 3; k++)
            assert_true(random_bits(&random) == bits[i][k]);
    }
}

/* Any interval contains as many of the first n low-discrepancy numbers as its length predicts,
 * within one or two. */
TEST(even_numbers_fill_the_interval)
{
    for (int n = 100; n <= 100000; n *= 10) {
        int within = 0;
        for (int i = 0; i < n; i++) {
            const double u = random_even(1, 2, (uint64_t)i);
            assert_true(u > 0 && u < 1);
            within += u > 0.2 && u < 0.55;
        }
        assert_true(abs(within - (int)(0.35 * n)) <= 3);
    }
}

TESTS(NULL, NULL)
