// The HDR signal. The numbers are also C: render/picture/picture.c includes this file.
#define HDR_OF_RED   0.627403896, 0.069097289, 0.016391439 // BT.709's red as BT.2020's red, green, blue
#define HDR_OF_GREEN 0.329283038, 0.919540395, 0.088013308
#define HDR_OF_BLUE  0.043313066, 0.011362316, 0.895595253
#define PQ_INNER  0.1593017578125 // SMPTE ST 2084: m1, m2, c1, c2, c3
#define PQ_OUTER  78.84375
#define PQ_1      0.8359375
#define PQ_2      18.8515625
#define PQ_3      18.6875
#define HLG_A     0.17883277 // BT.2100
#define HLG_B     0.28466892
#define HLG_C     0.55991073
#define HLG_LUMA  0.2627, 0.6780, 0.0593

#ifndef __STDC__
// Display values, where 1 is the brightest light -> the HDR signal in BT.2020 primaries, see
// render/picture/picture.h. The program defines PQ or HLG. Precedes pack.glsl.
const mat3 wide_primaries = mat3(HDR_OF_RED, HDR_OF_GREEN, HDR_OF_BLUE); // by columns
const float peak = 0.1; // of PQ's 10,000 cd/m^2

vec3 signal(vec3 shown)
{
    vec3 light = wide_primaries * pow(shown, vec3(2.2));
    if (max(max(light.r, light.g), light.b) <= 0.0)
        return vec3(0.0);
#ifdef PQ
    vec3 power = pow(light * peak, vec3(PQ_INNER));
    return pow((PQ_1 + PQ_2 * power) / (1.0 + PQ_3 * power), vec3(PQ_OUTER));
#else
    light *= pow(dot(light, vec3(HLG_LUMA)), -1.0 / 6.0);
    vec3 dark = sqrt(3.0 * light);
    vec3 bright = HLG_A * log(max(12.0 * light - HLG_B, 1e-6)) + HLG_C;
    return mix(dark, bright, greaterThan(light, vec3(1.0 / 12.0)));
#endif
}
#endif
