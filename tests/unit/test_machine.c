/* How busy the machine is, and how much memory a program can still get. */
#include "base/machine.h"
#include "schemes/timing.h"
#include "tap.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROOM = 512 };

/* A folder of the test, with its end; removed by the shell when the test ends. */
struct tree {
    char root[32];
};

static struct tree tree_make(void)
{
    struct tree tree;
    strcpy(tree.root, "/tmp/test-machine-XXXXXX");
    check(mkdtemp(tree.root) != NULL);
    return tree;
}

static void tree_remove(const struct tree *tree)
{
    char command[ROOM];
    snprintf(command, sizeof command, "rm -r '%s'", tree->root);
    check_equal(system(command), 0, "rm");
}

/* Writes root/folder/name; makes the folder. */
static void put(const struct tree *tree, const char *folder, const char *name, const char *text)
{
    char path[ROOM];
    snprintf(path, sizeof path, "%s%s", tree->root, folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        check(mkdir(path, 0777) == 0 || errno == EEXIST);
        *slash = '/';
    }
    check(mkdir(path, 0777) == 0 || errno == EEXIST);
    snprintf(path, sizeof path, "%s%s/%s", tree->root, folder, name);
    FILE *file = fopen(path, "w");
    if (check(file != NULL)) {
        fputs(text, file);
        fclose(file);
    }
}

static void check_left(const struct tree *tree, const char *groups, double expected,
                       const char *what)
{
    double left = memory_of_groups(groups, tree->root);
    if (isinf(expected))
        check(isinf(left));
    else
        check_close(left, expected, 0.0, what);
}

TEST(groups_of_the_second_version_limit_memory)
{
    struct tree tree = tree_make();
    put(&tree, "/a/b", "memory.max", "max\n");
    put(&tree, "/a/b", "memory.current", "300\n");
    check_left(&tree, "0::/a/b\n", (double)INFINITY, "no limit");
    put(&tree, "/a", "memory.max", "1000\n");
    put(&tree, "/a", "memory.current", "400\n");
    check_left(&tree, "0::/a/b\n", 600.0, "the limit of the group around it");
    put(&tree, "/a/b", "memory.max", "500\n");
    check_left(&tree, "0::/a/b\n", 200.0, "its own, which is less");
    put(&tree, "/a/b", "memory.stat", "anon 1\ninactive_file 150\nactive_file 7\n");
    check_left(&tree, "0::/a/b\n", 350.0, "with pages that can be dropped");
    put(&tree, "/a/b", "memory.current", "900\n");
    check_left(&tree, "0::/a/b\n", 0.0, "nothing, if more is used than allowed");
    tree_remove(&tree);
}

TEST(groups_of_the_first_version_limit_memory)
{
    struct tree tree = tree_make();
    static const char groups[] = "9:cpu:/a\n4:memory:/a/b\n0::/\n";
    put(&tree, "/memory/a/b", "memory.limit_in_bytes", "9223372036854771712\n");
    put(&tree, "/memory/a/b", "memory.usage_in_bytes", "300\n");
    check(memory_of_groups(groups, tree.root) > 1e18);
    put(&tree, "/memory", "memory.limit_in_bytes", "1000\n");
    put(&tree, "/memory", "memory.usage_in_bytes", "100\n");
    check_left(&tree, groups, 900.0, "the limit at the root");
    put(&tree, "/memory/a/b", "memory.limit_in_bytes", "500\n");
    put(&tree, "/memory/a/b", "memory.stat", "inactive_file 1\ntotal_inactive_file 20\n");
    check_left(&tree, groups, 220.0, "its own, which is less");
    tree_remove(&tree);
}

TEST(texts_that_name_no_group_limit_nothing)
{
    struct tree tree = tree_make();
    check_left(&tree, "", (double)INFINITY, "nothing");
    check_left(&tree, "nonsense\n\n1:name=systemd:/a\n0::/not/there", (double)INFINITY, "others");
    tree_remove(&tree);
}

/* Bytes of addresses that this program has: very many where a sanitizer reserves them. */
static double addresses(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    double kilobytes = 0.0;
    while (file && kilobytes == 0.0 && fgets(line, sizeof line, file))
        if (sscanf(line, "VmSize: %lf", &kilobytes) != 1)
            kilobytes = 0.0;
    if (file)
        fclose(file);
    return 1024.0 * kilobytes;
}

TEST(a_limit_of_address_space_limits_memory)
{
    static const double room = 268435456.0;
    double before = memory_available();
    check(before > 1e6);
    struct rlimit limit;
    check_equal(getrlimit(RLIMIT_AS, &limit), 0, "getrlimit");
    limit.rlim_cur = (rlim_t)(addresses() + room);
    check_equal(setrlimit(RLIMIT_AS, &limit), 0, "setrlimit");
    double after = memory_available();
    check(after > 0.9 * room && after <= room);
    char *block = malloc(1 << 26);
    check(block != NULL);
    check_close(after - memory_available(), 67108864.0, 65536.0, "what was allocated since");
    free(block);
}

TEST(time_is_spent_by_working)
{
    double process = process_busy(), machine = machine_busy(), begin = timing_now();
    volatile double x = 0.0;
    while (process_busy() - process < 0.2)
        x += 1.0;
    double spent = process_busy() - process, wall = timing_now() - begin;
    check(spent < 0.25 && wall >= 0.19);
    if (isnan(machine))
        skip("this system does not count the time of its cores");
    check(machine_busy() - machine > spent - 0.05);
}
