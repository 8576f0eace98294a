// The part of an equirectangular picture that lies on one face of the cube around the camera.
// sphere_axes.glsl precedes this file.
uniform sampler2D face; // bottom row first
uniform vec2 size;      // of the picture
uniform float side, margin; // of the face, in pixels

vec4 shade(vec2 at_pixel)
{
    vec3 towards = direction(at_pixel / size);
    float along = dot(towards, forward);
    vec2 across = vec2(dot(towards, right), dot(towards, up));
    if (along <= 0.0 || max(abs(across.x), abs(across.y)) > along * 1.000001)
        return vec4(-1.0); // outside the face
    vec2 pixel = vec2(margin) + 0.5 * side * (1.0 + across / along);
    return texture(face, pixel / (side + 2.0 * margin));
}
