/* The arithmetic of the forces, as a value: its name and its documentation. */
#ifndef SIM_SOLVER_FORCE_H
#define SIM_SOLVER_FORCE_H

struct force_mode {
    const char *name, *doc;
};

extern const struct force_mode force_fast, force_exact, force_double;
extern const struct force_mode *const force_modes[]; /* NULL-terminated, default first */

/* NULL when there is none of that name. */
const struct force_mode *force_mode_find(const char *name);

#endif
