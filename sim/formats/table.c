/* The collision table: mass x y z vx vy vz, separated by white space. An 8th column is the galaxy's
 * index and makes one component per galaxy. A comment may name other columns; see text_table.h. */
#include "sim/formats/format.h"

#include "sim/formats/text_table.h"

static bool probe(const struct format_head *head)
{
    (void)head;
    return true;
}

static enum status read(const char *path, struct snapshot *out)
{
    return text_table_read(path, out, TEXT_PLAIN);
}

static enum status write(const char *path, const struct snapshot *snapshot)
{
    const struct bodies *bodies = snapshot->bodies;
    const bool galaxies = bodies->component_count > 1;
    struct body_output *output;
    enum status status = body_output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    body_output_print(output, "# mass x y z vx vy vz%s\n", galaxies ? " galaxy" : "");
    for (size_t c = 0, i = 0; c < bodies->component_count; c++)
        for (size_t last = i + bodies->components[c].count; i < last; i++) {
            words_put(output, bodies, i, ' ');
            if (galaxies)
                body_output_print(output, " %zu", c);
            body_output_put(output, "\n", 1);
        }
    return body_output_close(&output, STATUS_OK);
}

const struct format format_table = {
    .name = "table",
    .doc = "text: mass x y z vx vy vz per line, and the galaxy's index if any",
    .extensions = "tab dat txt",
    .text = true,
    .probe = probe,
    .read = read,
    .read_units = text_table_read_units,
    .write = write,
    .keeps = KEEPS_COMPONENTS | KEEPS_DOUBLES,
};
