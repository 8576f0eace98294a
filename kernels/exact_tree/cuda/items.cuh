/* Items of a tree's arrays, read and written 16 or 8 bytes at a time: neighbouring threads have
 * items that lie far apart, so that each access of a warp costs as many sectors as it has threads.
 * All arrays begin at multiples of 256 bytes. */
#pragma once

#include <cuda_runtime.h>

template <bool SIXTEEN> struct item_part {
    typedef float4 type;
};

template <> struct item_part<false> {
    typedef float2 type;
};

template <class ITEM> struct item_parts {
    typedef typename item_part<sizeof(ITEM) % sizeof(float4) == 0>::type part;
    enum { COUNT = sizeof(ITEM) / sizeof(part) };
    static_assert(sizeof(ITEM) % sizeof(part) == 0, "items are whole parts");
    part parts[COUNT];
};

template <class ITEM> static __host__ __device__ __forceinline__ ITEM read_item(const ITEM *from)
{
    typedef item_parts<ITEM> all;
    all copy;
    ITEM item;
#pragma unroll
    for (int k = 0; k < all::COUNT; k++)
        copy.parts[k] = ((const typename all::part *)from)[k];
    memcpy(&item, &copy, sizeof item);
    return item;
}

template <class ITEM>
static __host__ __device__ __forceinline__ void write_item(ITEM *to, const ITEM &item)
{
    typedef item_parts<ITEM> all;
    all copy;
    memcpy(&copy, &item, sizeof copy);
#pragma unroll
    for (int k = 0; k < all::COUNT; k++)
        ((typename all::part *)to)[k] = copy.parts[k];
}
