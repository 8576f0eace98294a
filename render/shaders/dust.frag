// The share of a pixel's light that dust transmits, as a factor. Dust and light are modelled as
// uniform slabs with the mean depth and the spread of each: light in front of the dust stays, light
// behind is dimmed by all of it, and light within by the part in front. VALUES: the target holds
// values. Extinction in the bands R, V and B for R_V = 3.1: J. A. Cardelli, G. C. Clayton and J. S.
// Mathis, 1989, ApJ 345, 245, table 3.
uniform sampler2D dust, depths;
uniform float thickness; // optical depth where the dust's column is 1
uniform float thickest;  // upper bound of the effective optical depth in V of clumped dust
layout(location = 0) out vec4 left;

const vec3 extinction = vec3(0.751, 1.0, 1.337), luma = vec3(0.2126, 0.7152, 0.0722);

// Half of the slab's thickness; the rounding error of squared depths is below the lower bound.
float half_slab(vec2 moments)
{
    return sqrt(3.0 * max(moments.y - moments.x * moments.x, 1e-6));
}

void main()
{
    vec4 thin = texelFetch(dust, ivec2(gl_FragCoord.xy), 0), all = texelFetch(depths, ivec2(gl_FragCoord.xy), 0);
    left = vec4(1.0);
    if (!(thin.a > 0.0 && all.a > 0.0))
        return;
    vec2 own = thin.rg / thin.a, every = all.rg / all.a;
    float reach = half_slab(own), spread = half_slab(every);
    // Where the light begins and ends, in thicknesses of the dust slab from its front.
    vec2 ends = (every.x - own.x + vec2(-spread, spread) + reach) / (2.0 * reach), within = clamp(ends, 0.0, 1.0);
    vec2 before = min(ends, 0.0), behind = max(ends, 1.0);
    float depth = thickness * thin.a;
    vec3 whole = depth / (1.0 + depth / thickest) * extinction, some = exp(-whole * within.x) - exp(-whole * within.y);
    vec3 inside = mix(some / whole, vec3(within.y - within.x), lessThan(whole, vec3(1e-4)));
    left.rgb = (before.y - before.x + inside + (behind.y - behind.x) * exp(-whole)) / (ends.y - ends.x);
    left.a = dot(left.rgb, luma);
#ifdef VALUES
    left.rgb = vec3(left.a);
#endif
}
