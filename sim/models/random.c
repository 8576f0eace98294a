#include "sim/models/random.h"

#include "base/splitmix.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
    return splitmix64(*x += SPLITMIX_STEP);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

void random_seed(struct random *random, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed;
    x = splitmix(&x) ^ stream;
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&x);
}

uint64_t random_bits(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_uniform(struct random *random)
{
    return ((double)(random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

double random_normal(struct random *random)
{
    const double width = 1.7155277699214135; /* 2 sqrt(2 / e) */
    for (;;) {
        double u = random_uniform(random), v = width * (random_uniform(random) - 0.5), x = v / u;
        if (x * x <= -4 * log(u))
            return x;
    }
}

void random_direction2(struct random *random, double out[2])
{
    for (;;) {
        double x = 2 * random_uniform(random) - 1, y = 2 * random_uniform(random) - 1;
        double r2 = x * x + y * y;
        if (r2 > 1 || r2 < 1e-6)
            continue;
        double r = sqrt(r2);
        out[0] = x / r;
        out[1] = y / r;
        return;
    }
}

void random_direction3(struct random *random, double out[3])
{
    for (;;) {
        double x = 2 * random_uniform(random) - 1, y = 2 * random_uniform(random) - 1;
        double r2 = x * x + y * y;
        if (r2 >= 1)
            continue;
        double w = 2 * sqrt(1 - r2);
        out[0] = w * x;
        out[1] = w * y;
        out[2] = 1 - 2 * r2;
        return;
    }
}
