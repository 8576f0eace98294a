// How far the body is from where another simulation has it, logarithmic over six decades.
layout(location = 2) in vec4 reference;

vec3 body_colour()
{
    float share = max(distance(position.xyz, reference.xyz) / extent, 1e-12);
    return mapped(1.0 + log(share) / log(1e6));
}
