// A level of the pyramid of sprites plus what all coarser ones have added up to. Read between its
// texels at twice its size, a level comes out as the quadratic B-spline through all levels: smooth.
uniform sampler2D atlas;
uniform sampler2D coarser;
uniform ivec2 level_corner;  // of the level in the atlas
uniform vec2 coarser_origin; // where the level begins in the coarser one, in texels of that
uniform vec2 coarser_texel;  // 1 / size of the coarser one
uniform float coarser_share; // 0 of the coarsest level

vec4 shade(vec2 pixel)
{
    vec4 own = texelFetch(atlas, ivec2(pixel) + level_corner, 0);
    return own + coarser_share * texture(coarser, (coarser_origin + pixel * 0.5) * coarser_texel);
}
