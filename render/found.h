/* What is found out about a film before it is drawn, from its bodies at the start or from the pilot
 * run, beside what its scene asks for (params.h): plain values. Arrays belong to whoever filled
 * them. */
#ifndef RENDER_FOUND_H
#define RENDER_FOUND_H

/* Of camera.frame auto at one frame: the distance from the target, and how far eye and target are
 * moved to the picture's right and up, in the scene's unit. */
struct camera_framing {
    double distance, shift[2];
};

/* The camera's moments, as frames of the film, and its distance from the target. */
struct camera_found {
    double stretch; /* of pictures that a film higher than wide shows: their height over their width
                       if camera.fov spans the width; else 0: it spans the height */
    double distance;                      /* where camera.distance is 0; > 0 */
    const struct camera_framing *framing; /* [frames]; NULL: the distance above, and no shift */
    const double *keyframe;               /* [keyframe_count], ascending */
    const double *move_from, *move_to;    /* [move_count] */
};

/* The scales of colours and sizes, the same for all panels, so that these can be compared. Those
 * that nothing in the film uses may be 0. */
struct look_found {
    double speed;        /* where look.speed is 0: velocity that colours fully; > 0 */
    double acceleration; /* where look.acceleration is 0; > 0 */
    double fullest;      /* bodies in the fullest cell of the mode activity */
    double densest;      /* bodies around the densest place, as the colour density counts them */
    double quantity_from, quantity_to; /* numbers of look.quantity at the ends of look.map */
    double extent;                     /* the largest difference that is told from larger ones */
    double spacing;   /* of the drawn bodies, about: a length that their light is measured by; 0:
                         1 */
    double mean_mass; /* of the drawn bodies; 0: they have none */
    /* The light below which 99.9, 50 and 1 percent of all light lie, over the whole film and
     * relative to frame 0; 0: not measured, taken to be the same. */
    double brightest, middle, faintest;
};

struct caption_found {
    double begins, ends; /* seconds of the film */
};

/* Corners of the picture, as the overlay's boxes have them. */
enum { FOUND_CORNERS = 4 };

struct found {
    struct camera_found camera;
    struct look_found look;
    const struct caption_found *captions; /* [overlay.caption_count] */
    /* The part of the bodies' light over the whole film that is near each corner: upper left, upper
     * right, lower left, lower right. All 0: not looked for, or dark. */
    double corner[FOUND_CORNERS];
    double duration; /* simulated time of the film's last frame */
    double epoch;    /* what the clock says at frame 0 */
};

#endif
