// The part of an equirectangular picture that lies on one face of the cube around the camera.
uniform sampler2D face; // bottom row first
uniform vec2 size;      // of the picture
uniform vec3 right, up, forward; // of the face, in the camera's right, up, forward
uniform float side, margin;      // of the face, pixels

const float pi = 3.14159265358979;

vec4 shade(vec2 at_pixel)
{
    vec2 at = at_pixel / size;
    float longitude = (at.x - 0.5) * 2.0 * pi, latitude = (at.y - 0.5) * pi;
    vec3 towards = vec3(cos(latitude) * sin(longitude), sin(latitude),
                        cos(latitude) * cos(longitude));
    float along = dot(towards, forward);
    vec2 across = vec2(dot(towards, right), dot(towards, up));
    if (along <= 0.0 || max(abs(across.x), abs(across.y)) > along * 1.000001)
        return vec4(-1.0); // elsewhere
    vec2 pixel = vec2(margin) + 0.5 * side * (1.0 + across / along);
    // Sprites are round on their face, where directions lie wider by 1 / along in one direction.
    return texture(face, pixel / (side + 2.0 * margin)) / along;
}
