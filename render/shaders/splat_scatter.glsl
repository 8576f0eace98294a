// Adds small splats to the sums immediately, without a list. Each thread puts a splat into shared
// memory; then all threads add the splats one after the other, four threads for the channels of a
// pixel. The profile and sprite_round.glsl precede this file.
#undef main
uniform int tiles_across;

#if defined(STARS) || defined(STREAK)
layout(std430, binding = 6) buffer Sums { uint words[]; }; // see splat_common.glsl
#if defined(GL_NV_shader_atomic_int64) && defined(GL_NV_gpu_shader5)
#define ATOMIC_CHANNELS
layout(std430, binding = 6) buffer Channels { uint64_t channels[]; };
#endif
layout(std430, binding = 7) buffer Filled { uint filled[]; };

uniform uint picture; // number of the picture

const uint TOGETHER = 32u; // threads
shared vec4 dot_place[THREADS]; // centre; 2 / size; 1 / pixels across
shared uvec4 dot_light[THREADS];
shared ivec4 dot_box[THREADS]; // lowest pixel; pixels across; number of pixels
#ifdef SPHERE
shared vec4 dot_oblong[THREADS];
#endif

void add_channel(uint at, uint64_t value)
{
#ifdef ATOMIC_CHANNELS
    atomicAdd(channels[at], value);
#else
    uvec2 halves = unpackUint2x32(value);
    uint before = atomicAdd(words[2u * at], halves.x);
    uint high = halves.y + (before + halves.x < before ? 1u : 0u);
    if (high > 0u)
        atomicAdd(words[2u * at + 1u], high);
#endif
}

// Stores this thread's splat before scatter() and marks its tiles as lit.
void hold_dot(uint thread, bool shown, vec2 middle, float size, uvec4 light, vec2 end)
{
    vec2 first = max(ceil(middle - 0.5 * size - 0.5), vec2(0.0));
    vec2 last = min(floor(middle + 0.5 * size - 0.5), end - 1.0);
    ivec2 low = ivec2(first), across = shown ? max(ivec2(last) - low + 1, ivec2(0)) : ivec2(0);
    dot_box[thread] = ivec4(low, across.x, across.x * across.y);
    dot_place[thread] = vec4(middle, 2.0 / size, 1.0 / float(max(across.x, 1)));
    dot_light[thread] = light;
#ifdef SPHERE
    dot_oblong[thread] = oblong;
#endif
    if (across.x * across.y == 0)
        return;
    ivec2 from = low / TILE, to = (low + across - 1) / TILE;
    for (int y = from.y; y <= to.y; y++)
        for (int x = from.x; x <= to.x; x++) {
            uint tile = uint(y * tiles_across + x);
            if (filled[tile] != picture)
                filled[tile] = picture;
        }
}

void scatter_dot(uint k, uint lane)
{
    ivec4 box = dot_box[k];
    vec4 there = dot_place[k];
    uint light = dot_light[k][lane % 4u];
    for (uint p = lane / 4u; p < uint(box.w); p += TOGETHER / 4u) {
        uint row = uint((float(p) + 0.5) * there.w);
        uvec2 pixel = uvec2(box.xy) + uvec2(p - row * uint(box.z), row);
        vec2 away = (vec2(pixel) + 0.5 - there.xy) * there.z;
        uint share = weight_of(away, dot_oblong[k]);
        if (share == 0u || light == 0u)
            continue;
        uvec2 tile = pixel / uint(TILE), inside = pixel % uint(TILE);
        uint at = (tile.y * uint(tiles_across) + tile.x) * uint(TILE * TILE) + inside.y * uint(TILE) + inside.x;
        add_channel(4u * at + lane % 4u, uint64_t(share) * uint64_t(light));
    }
}

// Adds all stored splats; every thread of the group takes part.
void scatter()
{
    barrier();
    uint thread = gl_LocalInvocationID.x, first = thread / TOGETHER * TOGETHER, todo = 0xffffffffu;
#ifdef GL_ARB_shader_ballot
    if (gl_SubGroupSizeARB == TOGETHER)
        todo = unpackUint2x32(ballotARB(dot_box[thread].w > 0)).x;
#endif
    for (; todo != 0u; todo &= todo - 1u)
        scatter_dot(first + uint(findLSB(todo)), thread % TOGETHER);
    barrier();
}
#endif
