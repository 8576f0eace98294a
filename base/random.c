#include "base/random.h"

#include "base/functions/fn.h"

#include <Random123/philox.h>
#include <math.h>

struct random random_of(uint64_t seed, uint32_t stream, uint64_t body)
{
    return (struct random){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, stream, (uint32_t)body, (uint32_t)(body >> 32)},
    };
}

static uint32_t next_word(struct random *random)
{
    if (random->left == 0) {
        const uint32_t *c = random->counter;
        const philox4x32_ctr_t counter = {{c[0], c[1], c[2], c[3]}};
        const philox4x32_key_t key = {{random->key[0], random->key[1]}};
        const philox4x32_ctr_t block = philox4x32(counter, key);
        for (int k = 0; k < 4; k++)
            random->word[k] = block.v[k];
        random->counter[0]++;
        random->left = 4;
    }
    return random->word[4 - random->left--];
}

uint64_t random_bits(struct random *random)
{
    const uint64_t low = next_word(random);
    return (uint64_t)next_word(random) << 32 | low;
}

static double to_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double random_uniform(struct random *random)
{
    return to_unit(random_bits(random));
}

double random_normal(struct random *random)
{
    const double width = 1.7155277699214135; /* 2 sqrt(2 / e) */
    for (;;) {
        double u = random_uniform(random), v = width * (random_uniform(random) - 0.5), x = v / u;
        /* The first bound is inside the second one and spares most logarithms. */
        if (x * x <= 5 - 5.1361016667509656 * u || x * x <= -4 * fn_log(u)) /* 4 exp(1 / 4) */
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

double random_even(uint64_t seed, uint32_t stream, uint64_t i)
{
    const uint64_t golden = 0x9e3779b97f4a7c15; /* of 2^64 */
    struct random first = random_of(seed, stream, UINT64_MAX);
    return to_unit(random_bits(&first) + i * golden);
}
