#include "kernels/exact_tree/walk.h"

#include "kernels/isa.h"

#include <math.h>
#include <string.h>

/* The error grows as the share to a power of about 4/7. */
struct exact_tree_rule exact_tree_rule_for(double error)
{
    const double at = 4e-4, share = 1.4e-3, part = error / at, root = sqrt(part);
    return (struct exact_tree_rule){.reach2 = 0.81f,
                                    .hold = (float)(share * part * root * sqrt(root)),
                                    .heavy = 60,
                                    .soft = (float)error};
}

static struct exact_tree_rule by_angle(double opening2, double error)
{
    return (struct exact_tree_rule){
        .reach2 = (float)opening2, .hold = INFINITY, .soft = (float)error};
}

struct exact_tree_rule exact_tree_rule_first(double error)
{
    return by_angle(0.64, error);
}

struct exact_tree_rule exact_tree_rule_potential(double error)
{
    const double largest = 0.25, opening2 = 0.12 * sqrt(error / 4e-4);
    return by_angle(opening2 < largest ? opening2 : largest, error);
}

static const struct {
    const struct exact_tree_kernels *kernels;
    bool (*usable)(void);
} sets[] = {
#define SET(isa) {&exact_tree_##isa, cpu_has_##isa},
    EACH_ISA(SET)};

const struct exact_tree_kernels *exact_tree_find(const char *isa)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        if (sets[s].usable() &&
            (strcmp(isa, "auto") == 0 || strcmp(isa, sets[s].kernels->isa) == 0))
            return sets[s].kernels;
    return NULL;
}
