// Stores the result of shade from a compute shader; follows a pass's body. KEEPS: factor on the
// target's old value, to which the new one is added.
layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;
uniform ivec2 corner, extent; // of the part of the target that is drawn
#ifdef KEEPS
layout(binding = 0, rgba16f) uniform image2D stored;
#else
layout(binding = 0) writeonly uniform image2D stored;
#endif

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, extent)))
        return;
    vec4 value = shade(vec2(pixel) + 0.5);
#ifdef PARTIAL
    if (value.a < 0.0)
        return;
#endif
#ifdef KEEPS
    value += KEEPS * imageLoad(stored, corner + pixel);
#endif
    imageStore(stored, corner + pixel, value);
}
