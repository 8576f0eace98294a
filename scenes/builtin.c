#include "scenes/builtin.h"

#define BUILTIN(name, doc, text) extern const char text[];
#include "builtin_list.h"
#undef BUILTIN

#define BUILTIN(name, doc, text) {name, doc, text},
static const struct scene_builtin list[] = {
#include "builtin_list.h"
};

const struct registry builtin_registry = REGISTRY_OF("built-in scene", list);

const char *builtin_default(void)
{
    return list[0].name;
}
