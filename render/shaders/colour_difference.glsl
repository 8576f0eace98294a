// The distance from the body's position in another simulation, logarithmic over six decades.
#ifdef SPLATS
vec4 reference;
#else
layout(location = 2) in vec4 reference;
#endif

vec3 body_colour()
{
    float share = max(distance(position.xyz, reference.xyz) / extent, 1e-12);
    return mapped(1.0 + log(share) / log(1e6));
}
