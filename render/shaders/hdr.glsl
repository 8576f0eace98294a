// Display values, where 1 is the brightest light -> the HDR signal in BT.2020 primaries, see
// render/picture/hdr.h. The program defines PQ or HLG. Precedes pack.glsl.
const mat3 wide_primaries = mat3(0.627403896, 0.069097289, 0.016391439, // by columns
                                 0.329283038, 0.919540395, 0.088013308,
                                 0.043313066, 0.011362316, 0.895595253);
const float peak = 0.1; // of PQ's 10,000 cd/m^2

vec3 signal(vec3 shown)
{
    vec3 light = wide_primaries * pow(shown, vec3(2.2));
    if (max(max(light.r, light.g), light.b) <= 0.0)
        return vec3(0.0);
#ifdef PQ
    vec3 power = pow(light * peak, vec3(0.1593017578125));
    return pow((0.8359375 + 18.8515625 * power) / (1.0 + 18.6875 * power), vec3(78.84375));
#else
    light *= pow(dot(light, vec3(0.2627, 0.6780, 0.0593)), -1.0 / 6.0);
    vec3 dark = sqrt(3.0 * light);
    vec3 bright = 0.17883277 * log(max(12.0 * light - 0.28466892, 1e-6)) + 0.55991073;
    return mix(dark, bright, greaterThan(light, vec3(1.0 / 12.0)));
#endif
}
