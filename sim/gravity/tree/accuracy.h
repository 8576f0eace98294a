/* What an error that is asked for means to the tree: how far it expands and what it joins. */
#ifndef SIM_GRAVITY_TREE_ACCURACY_H
#define SIM_GRAVITY_TREE_ACCURACY_H

#include <stddef.h>

struct accuracy {
    int order;             /* of the expansions */
    double share;          /* of a body's acceleration that one other cell may get wrong */
    double share_of_kinds; /* the same where cells of several softenings lie in one place */
    double spread, sparse; /* see struct octree_limit */
};

/* error: RMS of the accelerations' relative errors. Fitted so that what is reached is 0.5 to 1
 * times that (docs/physics.md). */
struct accuracy accuracy_for(double error, size_t bodies);

#endif
