// A pass over all pixels.

//// fullscreen.vert
// One triangle that covers the target; needs no buffers.
void main()
{
    vec2 corner = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}

//// pass_fragment.glsl
// Draws the result of shade; follows a pass's body.
uniform ivec2 corner; // lower left corner of the part of the target that is drawn
layout(location = 0) out vec4 stored;

void main()
{
    stored = shade(gl_FragCoord.xy - vec2(corner));
#ifdef PARTIAL
    if (stored.a < 0.0)
        discard;
#endif
}

//// pass_compute.glsl
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
