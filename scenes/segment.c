#include "scenes/segment.h"

enum { FRAMES_LEAST = 12, SEGMENTS_MOST = 2000 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t scene_segment_length(const struct scene *scene)
{
    const struct output_params *output = &scene->output;
    if (output->segment > 0)
        return output->segment;
    const uint64_t second = (output->fps.num + output->fps.den / 2) / output->fps.den;
    const uint64_t few = (output->frames + SEGMENTS_MOST - 1) / SEGMENTS_MOST;
    return larger(larger(second, FRAMES_LEAST), few);
}
