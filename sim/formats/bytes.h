/* Reads numbers from a file's bytes in either byte order. Thread-safe; numbers are IEEE's, and this
 * program runs on little-endian machines. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bytes_u32(const unsigned char *at, bool swap)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t bytes_u64(const unsigned char *at, bool swap)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return swap ? __builtin_bswap64(value) : value;
}

static inline float bytes_f32(const unsigned char *at, bool swap)
{
    const uint32_t bits = bytes_u32(at, swap);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double bytes_f64(const unsigned char *at, bool swap)
{
    const uint64_t bits = bytes_u64(at, swap);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void bytes_put_u32(unsigned char *at, uint32_t value, bool swap)
{
    value = swap ? __builtin_bswap32(value) : value;
    memcpy(at, &value, sizeof value);
}

static inline void bytes_put_u64(unsigned char *at, uint64_t value, bool swap)
{
    value = swap ? __builtin_bswap64(value) : value;
    memcpy(at, &value, sizeof value);
}

static inline void bytes_put_f32(unsigned char *at, float value, bool swap)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u32(at, bits, swap);
}

static inline void bytes_put_f64(unsigned char *at, double value, bool swap)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u64(at, bits, swap);
}
