#include "cmd/bench/published.h"

#include <math.h>
#include <string.h>

const char *const published_gems3_source =
    "Published: Fast N-Body Simulation with CUDA, GPU Gems 3, chapter 31 (2007), GeForce 8800 GTX; "
    "CPU: Core 2 Duo 6300.";

const struct published_gems3 published_gems3 = {
    .count = 16384,
    .best = 10,
    .first = 163.0 / 20,
    .steps = 38,
    .two_threads = 1.44,
    .two_threads_count = 1024,
    .serial = 0.02,
    .sse = 0.1,
};

const char *const published_evl2008_source = "Published: galaxy collision class project (2008), "
                                             "GeForce 8600M GT, frames/s with one step per "
                                             "frame, drawing included.";

static const double EVL2008_SAMPLE = 25.5;

double published_evl2008(const char *rung)
{
    if (strcmp(rung, "naive float") == 0)
        return 1.9;
    if (strcmp(rung, "naive float4") == 0)
        return 3.1;
    if (strcmp(rung, "shared tile, unroll 8") == 0)
        return 0.86 * EVL2008_SAMPLE;
    if (strcmp(rung, "sample's shape") == 0)
        return EVL2008_SAMPLE;
    return NAN;
}

const char *const published_stride_source =
    "Published: block size and stride at 4,096 bodies, A100; the serial rate is that of its host.";

const double published_stride_serial = 0.081;

/* 1025 was counted as the fastest, 783.982: the launch had failed. */
const unsigned published_stride_broken = 1025;

const struct published_point published_stride_basic[] = {
    {1, 14.749},   {2, 27.311},    {3, 29.439},    {4, 32.508},     {8, 33.737},   {16, 31.649},
    {30, 33.268},  {31, 33.852},   {32, 32.320},   {64, 32.704},    {128, 32.981}, {256, 31.359},
    {512, 28.857}, {1023, 20.423}, {1024, 20.092}, {1025, 783.982}, {0, 0},
};

/* The pair 128, 4 was measured in both sweeps: 218.453 and 197.147. */
static const struct published_point by_block[] = {
    {8, 112.448},   {16, 168.277},  {32, 202.379},  {64, 201.166},
    {128, 218.453}, {256, 178.102}, {512, 113.207}, {0, 0},
};
static const struct published_point by_stride[] = {
    {4, 197.147}, {8, 227.026}, {16, 246.724}, {32, 256.532}, {64, 184.163}, {128, 126.716}, {0, 0},
};

static double look_up(const struct published_point *point, unsigned at)
{
    while (point->at != 0 && point->at != at)
        point++;
    return point->at == at && at != 0 ? point->rate : NAN;
}

double published_stride(unsigned block, unsigned stride)
{
    if (stride == 4 && block != 128)
        return look_up(by_block, block);
    return block == 128 ? look_up(by_stride, stride) : NAN;
}
