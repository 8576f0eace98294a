// How far the body is from where another simulation has it, logarithmic over six decades.
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
