/* Dust that dims and reddens light behind it: a light pass of the dusty bodies' column, another of
 * the depths of all others, and what that leaves of these others' light as sprites.h has added it
 * up. Where the dust's column, taken for as much light as all others have together, is exposed to
 * 1, the optical depth is look.dust times that of an ordinary spiral. Only for the renderer; a GL
 * context must be current. */
#ifndef RENDER_SPRITES_DUST_H
#define RENDER_SPRITES_DUST_H

#include "render/sprites/sprites.h"

/* The optical depth in V of look.dust 1, seen face-on, where the dust's column is exposed to 1:
 * several where the median of a spiral's light lies (post/tone.h). */
#define DUST_ORDINARY 8.0
/* The effective optical depth in V that ever more dust approaches: dust is clumped, and light finds
 * its way between the clumps. A depth that is much smaller stays as it is. */
#define DUST_THICKEST 16.0

struct dust;

/* `setup`: that of the sprites whose light it dims, and the dusty groups beside theirs. */
enum status dust_create(struct dust **out, const struct sprites_setup *setup,
                        const struct gl_context *context);
void dust_destroy(struct dust **dust); /* accepts a pointer to NULL */

/* Dims what sprites_draw has left in the target with the same arguments; nothing while there is no
 * exposure, 0, yet. */
void dust_dim(struct dust *dust, const struct sprites *sprites, const struct camera_pose *pose,
              const struct streak_ends *ends, double interval, double exposure);

#endif
