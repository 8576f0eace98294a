#include "render/overlay/elements.h"

#include "render/overlay/energy.h"
#include "render/overlay/legend.h"
#include "render/overlay/words.h"

static const struct overlay_element *const list[] = {
    &element_title, &element_clock,    &element_scale_bar, &element_bodies,
    &element_frame, &element_captions, &element_legend,    &element_energy,
};

_Static_assert(sizeof list / sizeof *list <= OVERLAY_ELEMENTS_MAX, "raise OVERLAY_ELEMENTS_MAX");

const struct registry overlay_registry = REGISTRY_LIST("element of the overlay", list);
