/* Where a camera is and where it looks. Right-handed world, z up; angles in degrees; lengths in the
 * scene's unit. Pure, thread-safe. */
#pragma once

struct camera_aim {
    double eye[3], target[3];
    double up[3]; /* approximate: any length, not parallel to the line of sight */
    double fov;   /* vertical, for the whole picture */
};

/* Writes the picture's right, up and backward axes as unit vectors. Returns the distance from the
 * target. */
double camera_aim_axes(const struct camera_aim *aim, double right[3], double up[3], double back[3]);
double camera_aim_distance(const struct camera_aim *aim);

/* Moves the eye `shift` to its right, looking in the same direction: the axes stay parallel, and
 * camera_project shears the picture so that the target stays where it is. */
void camera_aim_eye(struct camera_aim *aim, double shift);

/* Orbit turns the eye around the target by degrees of azimuth and elevation, zoom moves it closer,
 * pan shifts eye and target to the right, up and forwards. See moves.h. */
void camera_aim_orbit(struct camera_aim *aim, double turn, double tilt);
void camera_aim_zoom(struct camera_aim *aim, double factor);
void camera_aim_pan(struct camera_aim *aim, const double shift[3]);

/* Looks through face 0 .. 5 of the cube around the eye, with a field of view of 90 degrees: +right,
 * -right, +up, -up, forwards, backwards. The axes are the aim's own, levelled: forwards is the
 * aim's direction without its rise. */
void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face);
