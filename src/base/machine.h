/* How busy the machine is, and how much memory is available. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

/* CPU time that all programs together have spent on all cores since the machine started, s, in
 * units of 0.01 s; includes what the hypervisor gave to other machines while this one was ready to
 * run. NaN if the system does not say. */
double machine_busy(void);

/* CPU time that this program has spent, s. */
double process_busy(void);

/* Mean number of programs that were running or ready to run in the last minute. NaN if the system
 * does not say. */
double machine_load(void);

/* Bytes of memory that this program has. 0 if the system does not say. */
double process_memory(void);

/* Bytes of memory that this program can still get: the least of what the machine has available,
 * what the limits of the program's control groups leave, and what its own limit of address space
 * (ulimit -v) leaves. Infinity if the system names no limit. */
double memory_available(void);

/* Bytes of memory that control groups leave: those listed in a text of the form of
 * /proc/self/cgroup and mounted at `root`. For tests; memory_available reads /proc/self/cgroup and
 * /sys/fs/cgroup. */
double memory_of_groups(const char *groups, const char *root);

#endif
