// Right, up and forward of a face of the cube around the camera, in camera axes.
uniform vec3 right, up, forward;
const float pi = 3.14159265358979;

// The direction of a place in an equirectangular picture, 0 to 1 along both axes, bottom row first.
vec3 direction(vec2 at)
{
    float longitude = (at.x - 0.5) * 2.0 * pi, latitude = (at.y - 0.5) * pi;
    return vec3(cos(latitude) * sin(longitude), sin(latitude), cos(latitude) * cos(longitude));
}
