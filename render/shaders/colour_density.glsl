// The number of bodies around this one, logarithmic from one body to the densest place.
uniform sampler2D density;
uniform vec4 to_map; // clip coordinates times xy plus zw are map coordinates, 0 to 1

vec3 body_colour()
{
    float count = textureLod(density, place.xy / place.w * to_map.xy + to_map.zw, 0.0).r;
    return mapped(log(max(count, 1.0)) / log(densest));
}
