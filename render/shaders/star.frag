// A round spot: a Gaussian cut to exactly zero at four standard deviations. VALUES: the target
// holds values, see sky/stars.h.
uniform float sigma, focal;
flat in vec4 colour;
flat in vec2 centre;
layout(location = 0) out vec4 light_out;
#ifdef SPHERE
flat in vec3 direction;
uniform vec2 size;

// The direction of the pixel.
vec3 towards()
{
    vec2 angle = (gl_FragCoord.xy - 0.5 * size) / focal;
    return vec3(cos(angle.y) * sin(angle.x), sin(angle.y), cos(angle.y) * cos(angle.x));
}
#endif

void main()
{
#ifdef SPHERE
    vec3 away = (towards() - direction) * (focal / sigma);
#else
    vec2 away = (gl_FragCoord.xy - centre) / sigma;
#endif
    float square = dot(away, away);
    float inside = max(1.0 - square / 16.0, 0.0);
    vec4 light = colour * exp(-0.5 * square) * inside * inside;
#ifdef VALUES
    light.rg = vec2(0.0);
    light.b = light.a;
#endif
    light_out = light;
}
