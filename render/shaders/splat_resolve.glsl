// Converts the sums to light and clears them. One group per tile.
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = 0) buffer Sums { uvec4 sums[]; };
layout(std430, binding = 1) readonly buffer Filled { uint filled[]; };
layout(binding = 0, rgba32f) writeonly uniform image2D atlas;

uniform uint picture; // number of the picture
uniform int tiles_across, level_count;
uniform ivec2 level_corner[LEVELS]; // of coarser levels with their borders
uniform float whole[LEVELS];        // light per integer unit, by level

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    uint tile = gl_WorkGroupID.y * uint(tiles_across) + gl_WorkGroupID.x;
    vec4 light = vec4(0.0);
    if (filled[tile] == picture) {
        uint at = 2u * (tile * uint(TILE * TILE) + gl_LocalInvocationIndex);
        int level = 0;
        for (int l = 1; l < level_count; l++)
            if (all(greaterThanEqual(pixel, level_corner[l])))
                level = l;
        uvec4 first = sums[at], last = sums[at + 1u];
        light = (vec4(first.yw, last.yw) * 4294967296.0 + vec4(first.xz, last.xz)) * whole[level];
        sums[at] = sums[at + 1u] = uvec4(0u);
    }
    if (all(lessThan(pixel, imageSize(atlas))))
        imageStore(atlas, pixel, light);
}
