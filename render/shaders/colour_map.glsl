uniform float saturation;
uniform vec3 map[33]; // as shown on a display
uniform float map_proportional; // 1: grey, whose light is the value

// Colours are chosen by eye on a display; light adds up in linear values.
vec3 linear(vec3 shown)
{
    return pow(shown, vec3(2.2));
}

// The light of a body that has no value to be mapped: grey, 0.5 as shown.
const vec3 unvalued = vec3(0.2176376);

// A map tells by its lightness as well, so that greyer must not be lighter.
// VALUES: what is mapped is a mean value, later.
vec3 mapped(float value)
{
#ifdef VALUES
    return vec3(clamp(value, 0.0, 1.0));
#endif
    if (map_proportional > 0.0)
        return vec3(clamp(value, 0.0, 1.0));
    float place = clamp(value, 0.0, 1.0) * 32.0;
    int below = int(min(place, 31.0));
    vec3 light = linear(mix(map[below], map[below + 1], place - float(below)));
    float grey = dot(light, vec3(0.2126, 0.7152, 0.0722));
    return mix(vec3(grey), light, saturation);
}
