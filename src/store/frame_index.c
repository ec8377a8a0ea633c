#include "store/frame_list.h"

#include "base/atomic_file.h"
#include "store/field.h"

#include <stdlib.h>
#include <string.h>

static const char *number_type(enum element element)
{
    static const char *const type[] = {
        [ELEMENT_F64] = "Float", [ELEMENT_F32] = "Float", [ELEMENT_U64] = "UInt",
        [ELEMENT_I64] = "Int",   [ELEMENT_U32] = "UInt",  [ELEMENT_U8] = "UChar",
    };
    return type[element];
}

static void print_data(FILE *out, const struct field *field, size_t n, const char *file)
{
    fprintf(out, "<DataItem Dimensions=\"%zu", n);
    if (field->width > 1)
        fprintf(out, " %zu", field->width);
    fprintf(out, "\" NumberType=\"%s\" Precision=\"%zu\" Format=\"HDF\">frames/%s:/%s</DataItem>",
            number_type(field->element), element_size(field->element), file, field->name);
}

static void print_attribute(FILE *out, const struct field *field, size_t n, const char *file)
{
    fprintf(out, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", field->name,
            field->width == 3 ? "Vector" : "Scalar");
    print_data(out, field, n, file);
    fputs("</Attribute>\n", out);
}

static enum status print_grid(FILE *out, const char *path, struct error *error)
{
    struct frame_head head;
    char time[NUMBER_TEXT];
    const char *file = strrchr(path, '/') + 1;
    enum status status = frame_read_head(path, &head, error);
    if (status != STATUS_OK)
        return status;
    size_t n = head.n_particles;
    fprintf(out,
            "   <Grid Name=\"particles\" GridType=\"Uniform\">\n"
            "    <Time Value=\"%s\"/>\n"
            "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%zu\"/>\n",
            number_format(head.time, time), n);
    struct fields all;
    fields_find(&all);
    for (size_t i = 0; i < all.n; i++) {
        const struct field *f = &all.field[i];
        if (strcmp(f->name, "position") == 0) {
            fputs("    <Geometry GeometryType=\"XYZ\">", out);
            print_data(out, f, n, file);
            fputs("</Geometry>\n", out);
        } else if (field_is_of_particles(f) && (head.fields >> i & 1)) {
            print_attribute(out, f, n, file);
        }
    }
    fputs("   </Grid>\n", out);
    return STATUS_OK;
}

enum status frame_index_write(const char *folder, struct error *error)
{
    char *path;
    struct frame_list list = {0};
    struct atomic_file file;
    if (path_join(folder, "frames.xmf", &path, error))
        return STATUS_FAILED;
    enum status status = frame_list_read(folder, &list, error);
    if (status == STATUS_OK)
        status = atomic_file_open(&file, path, error);
    if (status == STATUS_OK) {
        fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
              "  <Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
              file.stream);
        for (size_t i = 0; i < list.n && status == STATUS_OK; i++)
            status = print_grid(file.stream, list.frame[i].path, error);
        fputs("  </Grid>\n </Domain>\n</Xdmf>\n", file.stream);
        if (status == STATUS_OK)
            status = atomic_file_commit(&file, error);
        else
            atomic_file_abandon(&file);
    }
    frame_list_free(&list);
    free(path);
    return status;
}
