uniform float saturation;
uniform vec3 map[33]; // display values
uniform float map_proportional; // 1: grey, with light proportional to the value

// Colours are chosen as display values, but light adds up linearly.
vec3 linear(vec3 shown)
{
    return pow(shown, vec3(2.2));
}

// The light of a body without a value: grey, display value 0.5.
const vec3 unvalued = vec3(0.2176376);

// Desaturated colours must not become lighter, because a map's lightness has meaning too. VALUES:
// the mean value is mapped later.
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
