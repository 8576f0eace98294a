#include "sim/solver/rungs.h"

#include <math.h>

int rung_for(const struct rung_rule *rule, double softening, double acceleration)
{
    int rung = 0;
    if (!isfinite(acceleration))
        return 0;
    const double limit = rule->eta * sqrt(softening / acceleration);
    while (rung < RUNGS && ldexp(fabs(rule->frame_time), -rung) > limit)
        ++rung;
    return rung;
}

int rung_at(uint64_t tick)
{
    return tick == 0 ? 0 : RUNG_MOST - __builtin_ctzll(tick);
}
