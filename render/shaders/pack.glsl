// Display values -> the bytes of one plane of the sink's format. Every texel of the target holds
// four consecutive bytes of a row, so that reading the target back gives the plane's memory layout.
// The program defines BITS (8, 10 or 16), CHROMA_SHIFT (0 or 1), CHROMA_ROWS (1 or 2 rows of pixels
// per row of chroma), PLANE_LUMA, PLANE_CB, PLANE_CR, PLANE_CBCR, PLANE_ALPHA or PLANE_RGBA; STRAIGHT or PREMULTIPLIED for pictures with alpha, which
// is the maximum of red, green and blue. FLOATS: light instead of display values, as 32-bit floats,
// without dither. Y'CbCr: Rec. ITU-R BT.709-6, items 3.2 to 3.5, limited range; with PQ or HLG and
// hdr.glsl BT.2020's.
uniform sampler2D display; // bottom row first
uniform ivec2 size;
uniform ivec2 origin; // position of this picture in a larger one, from the upper left corner
uniform uint frame;
uniform float fade;      // opacity of the picture over black
uniform vec3 background; // its display value; it is not dithered
uniform float quiet;     // samples this close to the background are not dithered either

#if defined(PQ) || defined(HLG)
const vec3 luma_weights = vec3(0.2627, 0.6780, 0.0593);
const float blue_reach = 1.8814, red_reach = 1.4746;
#else
const vec3 luma_weights = vec3(0.2126, 0.7152, 0.0722);
const float blue_reach = 1.8556, red_reach = 1.5748;
#endif

vec3 fetch(int x, int y)
{
    ivec2 at = clamp(ivec2(x, y), ivec2(0), size - 1);
    vec3 shown = texelFetch(display, ivec2(at.x, size.y - 1 - at.y), 0).rgb * fade;
#if defined(PQ) || defined(HLG)
    return signal(shown);
#else
    return shown;
#endif
}

#ifdef FLOATS
// A texel holds one float of light, which fades as display values do.
vec4 shade(vec2 at)
{
    int x = int(at.x) >> 2, channel = int(at.x) & 3;
    float light = texelFetch(display, ivec2(x, size.y - 1 - int(at.y)), 0)[channel] * pow(fade, 2.2);
    uint bits = floatBitsToUint(channel == 3 ? 1.0 : light);
    return vec4(bits & 255u, bits >> 8 & 255u, bits >> 16 & 255u, bits >> 24) / 255.0;
}
#else
// Triangular noise in (-1, 1), a function of pixel, channel and frame number only. Hash: M.
// Jarzynski, M. Olano, "Hash Functions for GPU Rendering", JCGT 9 (2020), pcg.
float noise(int x, int y, uint channel)
{
    // Frames and channels start far apart in one sequence, thanks to 2^32 / the golden ratio.
    uint state = uint(x) + 16384u * uint(y) + 2654435769u * (frame * 4u + channel);
    state = state * 747796405u + 2891336453u;
    state = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    state = (state >> 22u) ^ state;
    return (float(state & 0xffffu) + float(state >> 16u) + 1.0) / 65536.0 - 1.0;
}

// Left-sited chroma: [1 2 1]/4 along the row, the mean of its rows.
vec3 chroma_rgb(int x, int y)
{
#if CHROMA_SHIFT == 1
    vec3 sum = vec3(0.0);
    for (int row = 0; row < CHROMA_ROWS; row++)
        sum += fetch(2 * x - 1, CHROMA_ROWS * y + row) + 2.0 * fetch(2 * x, CHROMA_ROWS * y + row) +
               fetch(2 * x + 1, CHROMA_ROWS * y + row);
    return sum / float(4 * CHROMA_ROWS);
#else
    return fetch(x, y);
#endif
}

float brightest(vec3 rgb)
{
    return max(max(rgb.r, rgb.g), rgb.b);
}

// The component that a plane of Y'CbCr stores.
vec3 colour(vec3 rgb)
{
#if defined(STRAIGHT)
    return brightest(rgb) > 0.0 ? rgb / brightest(rgb) : rgb;
#else
    return rgb;
#endif
}

float blue_difference(vec3 rgb)
{
    return (rgb.b - dot(rgb, luma_weights)) / blue_reach;
}

float red_difference(vec3 rgb)
{
    return (rgb.r - dot(rgb, luma_weights)) / red_reach;
}

// A value as a code, dithered unless its pixel `rgb` is the background.
float quantized(float value, vec3 rgb, int x, int y, uint channel)
{
    // An empty sky is not dithered, so it compresses to almost nothing and black stays black.
    float amount = brightest(abs(rgb - background)) > quiet ? 1.0 : 0.0;
#if defined(PLANE_ALPHA) && defined(PREMULTIPLIED)
    amount = 0.0; // the colours already carry the light
#endif
    return clamp(floor(value + 0.5 + amount * noise(x + origin.x, y + origin.y, channel)), 0.0, float((1 << BITS) - 1));
}

#if defined(PLANE_CBCR)
// Both chroma samples of a pixel at half size.
vec2 codes(int x, int y)
{
    float scale = float(1 << (BITS - 8));
    vec3 rgb = chroma_rgb(x, y);
    vec2 value = (128.0 + 224.0 * vec2(blue_difference(rgb), red_difference(rgb))) * scale;
    return vec2(quantized(value.x, rgb, x, y, 1u), quantized(value.y, rgb, x, y, 2u));
}
#else
// Sample number `index` of row `y`, as a code.
float code(int index, int y)
{
    vec3 rgb;
    float value;
    int x = index;
    uint channel = 0u;
    float scale = float(1 << (BITS - 8));
#if defined(PLANE_ALPHA)
    rgb = fetch(x, y);
    value = brightest(rgb) * float((1 << BITS) - 1);
    channel = 3u;
#elif defined(PLANE_LUMA)
    rgb = colour(fetch(x, y));
    value = (16.0 + 219.0 * dot(rgb, luma_weights)) * scale;
#elif defined(PLANE_CB)
    rgb = colour(chroma_rgb(x, y));
    value = (128.0 + 224.0 * blue_difference(rgb)) * scale;
    channel = 1u;
#elif defined(PLANE_CR)
    rgb = colour(chroma_rgb(x, y));
    value = (128.0 + 224.0 * red_difference(rgb)) * scale;
    channel = 2u;
#else
    x = index >> 2;
    channel = uint(index & 3);
    float top = float((1 << BITS) - 1);
    if (channel == 3u)
        return top;
    rgb = fetch(x, y);
    value = rgb[index & 3] * top;
#endif
    return quantized(value, rgb, x, y, channel);
}

#if defined(PLANE_RGBA) && BITS == 8 && !defined(STRAIGHT) && !defined(PREMULTIPLIED)
#define OPAQUE
// The codes of a pixel without alpha: together they take half as long.
vec4 opaque(int x, int y)
{
    vec3 rgb = fetch(x, y), value = rgb * 255.0;
    return vec4(quantized(value.r, rgb, x, y, 0u), quantized(value.g, rgb, x, y, 1u),
                quantized(value.b, rgb, x, y, 2u), 255.0);
}
#endif

// The same for a picture with alpha, where the codes of a pixel depend on each other.
float transparent(int index, int y)
{
#if defined(PLANE_RGBA) && (defined(STRAIGHT) || defined(PREMULTIPLIED))
    int first = index & ~3;
    uint alpha = uint(max(max(code(first, y), code(first + 1, y)), code(first + 2, y)));
    if ((index & 3) == 3)
        return float(alpha);
#if defined(STRAIGHT)
    uint top = uint((1 << BITS) - 1);
    return alpha > 0u ? float((uint(code(index, y)) * top + alpha / 2u) / alpha) : 0.0;
#endif
#endif
    return code(index, y);
}
#endif

vec4 shade(vec2 at)
{
    int column = int(at.x), y = int(at.y);
#if defined(PLANE_CBCR)
    return vec4(codes(2 * column, y), codes(2 * column + 1, y)) / 255.0;
#elif defined(OPAQUE)
    return opaque(column, y) / 255.0;
#elif BITS == 8
    return vec4(transparent(4 * column, y), transparent(4 * column + 1, y), transparent(4 * column + 2, y),
                transparent(4 * column + 3, y)) / 255.0;
#else
    float first = transparent(2 * column, y), second = transparent(2 * column + 1, y);
    vec2 high = floor(vec2(first, second) / 256.0);
    return vec4(first - 256.0 * high.x, high.x, second - 256.0 * high.y, high.y) / 255.0;
#endif
}
#endif
