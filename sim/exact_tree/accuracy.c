#include "sim/exact_tree/accuracy.h"

#include <math.h>

/* An error follows from a share as its power of about 4/7. */
struct exact_tree_rule exact_tree_rule_for(double error)
{
    const double at = 4e-4, share = 2e-3, part = error / at, root = sqrt(part);
    return (struct exact_tree_rule){
        .reach2 = 0.81f, .hold = (float)(share * part * root * sqrt(root)), .soft = (float)error};
}

static struct exact_tree_rule by_angle(float opening, double error)
{
    return (struct exact_tree_rule){
        .reach2 = opening * opening, .hold = INFINITY, .soft = (float)error};
}

struct exact_tree_rule exact_tree_rule_first(double error)
{
    return by_angle(0.8f, error);
}

struct exact_tree_rule exact_tree_rule_potential(double error)
{
    return by_angle(0.5f, error);
}
