#include "render/camera.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

static double radians(double degrees)
{
    return degrees * (M_PI / 180.0);
}

void camera_pose(struct camera_pose *out, const struct camera_params *params, double progress,
                 uint32_t width, uint32_t height, uint32_t margin)
{
    double distance = params->distance * pow(params->zoom, -progress);
    double azimuth = radians(params->azimuth + params->orbit * progress);
    double elevation = radians(params->elevation);
    vec3 target = {(float)params->target[0], (float)params->target[1], (float)params->target[2]};
    vec3 eye = {
        (float)(params->target[0] + distance * cos(elevation) * cos(azimuth)),
        (float)(params->target[1] + distance * cos(elevation) * sin(azimuth)),
        (float)(params->target[2] + distance * sin(elevation)),
    };
    /* Up along the meridian, not the z axis, so that looking straight down has an up as well. */
    vec3 up = {
        (float)(-sin(elevation) * cos(azimuth)),
        (float)(-sin(elevation) * sin(azimuth)),
        (float)cos(elevation),
    };
    double tangent = tan(radians(params->fov) / 2);
    double near = distance * 1e-3, far = distance * 1e3;
    double half_height = tangent * near * (height + 2.0 * margin) / height;
    double half_width = tangent * near * (width + 2.0 * margin) / height;
    mat4 view, projection, product;
    glm_lookat(eye, target, up, view);
    glm_frustum((float)-half_width, (float)half_width, (float)-half_height, (float)half_height,
                (float)near, (float)far, projection);
    glm_mat4_mul(projection, view, product);
    memcpy(out->view_projection, product, sizeof out->view_projection);
    memcpy(out->position, eye, sizeof out->position);
    out->distance = (float)distance;
    out->pixels_a_unit = (float)(height / (2 * tangent * distance));
}

double camera_fit(const struct camera_params *params, double radius, uint32_t width,
                  uint32_t height)
{
    double narrow = radians(params->fov) / 2;
    if (width < height)
        narrow = atan(tan(narrow) * width / height);
    return radius / sin(narrow);
}
