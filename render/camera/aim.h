/* Where a camera is and where it looks. Right-handed world, z up; angles in degrees; lengths in the
 * scene's unit. Pure, thread-safe. */
#ifndef RENDER_CAMERA_AIM_H
#define RENDER_CAMERA_AIM_H

struct camera_aim {
    double eye[3], target[3];
    double up[3]; /* roughly: not along the line of sight, of any length */
    double fov;   /* vertical, of the whole picture */
};

/* Right, up and backwards in the picture, unit vectors. Returns the distance from the target. */
double camera_aim_axes(const struct camera_aim *aim, double right[3], double up[3], double back[3]);
double camera_aim_distance(const struct camera_aim *aim);

/* Moves the eye `shift` to its right, looking in the same direction: the axes stay parallel, and
 * camera_project shears the picture so that the target stays where it is. */
void camera_aim_eye(struct camera_aim *aim, double shift);

/* Turn around the target, degrees of azimuth and elevation; go nearer to it; shift both to the
 * right, up and forwards. See moves.h. */
void camera_aim_orbit(struct camera_aim *aim, double turn, double tilt);
void camera_aim_zoom(struct camera_aim *aim, double factor);
void camera_aim_pan(struct camera_aim *aim, const double shift[3]);

/* Face 0 .. 5 of the cube around the eye: +right, -right, +up, -up, forwards, backwards of the
 * aim's own axes, levelled: its forward is the aim's without its rise. fov 90. */
void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face);

#endif
