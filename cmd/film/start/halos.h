/* Haloes of look.halos over a film of snapshots: one catalogue for each snapshot, in the order of
 * the numbers in their names (sim/formats/catalogue.h). Used by one thread at a time; what it lends
 * may be used by any.
 *
 * A number means a halo of the last catalogue. Its track goes back along main progenitors: those
 * that the finder's merger tree names or, where it names descendants, the most massive halo with
 * this descendant. Between two catalogues the centre follows the cubic Hermite polynomial whose
 * velocities are mean differences of places, and the radius is interpolated linearly, also over
 * catalogues that lack the halo; in a periodic box it takes the shortest way. Before its first
 * progenitor there is none. */
#pragma once

#include "render/draw.h"
#include "scenes/scene.h"

struct halos;

/* Reads all catalogues. Sets *out to NULL if the scene names none. STATUS_USAGE where the bodies
 * are not snapshots, or their number differs. */
enum status halos_open(struct halos **out, const struct scene *scene);
void halos_close(struct halos **halos); /* accepts a pointer to NULL */

/* Finds "halo 17" or "group 3", as camera.follow names it; lent until halos_close. NULL: there is
 * none. A `halos` of NULL has none. */
const struct tracked *halos_find(void *halos, const char *name);

/* The last catalogue, and the number of its haloes. */
const char *halos_last(const struct halos *halos, size_t *count);

/* The names of its most massive haloes, at most `most`; returns how many. */
enum { HALO_NAME = 32 };
size_t halos_massive(const struct halos *halos, char (*names)[HALO_NAME], size_t most);

/* Whether a name has the form of what halos_find finds. Pure. */
bool halos_are_called(const char *name);
