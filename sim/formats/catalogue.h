/* Catalogues of haloes at one time, as halo finders write them:
 *
 *   Rockstar   text: out_N.list with descendants in the next one, or hlist_A.list of
 *              consistent-trees with descendants at a later scale factor; P. S. Behroozi, R. H.
 *              Wechsler and H.-Y. Wu, ApJ 762:109, 2013. Comoving Mpc/h, radii in comoving kpc/h
 *   AHF        text: NAME_halos, comoving kpc/h; S. R. Knollmann and A. Knebe, ApJS 182:608, 2009.
 *              NAME_mtree_idx beside it has the main progenitor of each halo in an earlier one
 *   SUBFIND    HDF5 of GADGET-4: fof_subhalo_tab_N.hdf5, in the snapshot's units; V. Springel et
 *              al., MNRAS 506:2871, 2021. subhalo_desc_N.hdf5 beside it has descendants. A
 *              catalogue in several files is named by its first, fof_subhalo_tab_N.0.hdf5
 *
 * A catalogue belongs to its caller. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halo {
    uint64_t id;    /* unique in its catalogue */
    int64_t group;  /* of SUBFIND, of which it is the first; otherwise -1 */
    int64_t next;   /* the id of its descendant, in the next catalogue or the one at next_scale; -1:
                     * none, or unknown */
    int64_t before; /* the id of its main progenitor, in an earlier catalogue; -1: likewise */
    double next_scale;
    double position[3], radius, mass; /* in the file's units */
};

struct catalogue {
    const char *kind; /* "Rockstar", "AHF" or "SUBFIND" */
    struct halo *halos;
    size_t count;
    double scale, hubble; /* the scale factor and h; 0: not stated */
    double length_kpc;    /* of its comoving unit, times h; 0: that of the snapshots */
    double radius_unit;   /* of radii, relative to positions */
    bool linked;          /* progenitors or descendants are known */
};

/* STATUS_IO: the file cannot be read; STATUS_USAGE: it is no catalogue, or damaged. Free in every
 * case. */
enum status catalogue_read(const char *path, struct catalogue *out);
void catalogue_free(struct catalogue *catalogue); /* accepts all zero */

/* The halo with an id; NULL: none. */
const struct halo *catalogue_find(const struct catalogue *catalogue, uint64_t id);
