# shellcheck shell=sh
# A Slurm of one node, this machine, in the folder "$1": its own key, ports and files, nothing of the machine's. It ends with the
# test. For a test that reads this file after tests/cli/lib.sh: slurm_start FOLDER.

# The reason why there can be none here; nothing if there can.
slurm_lacks() {
    for program in munged slurmctld slurmd sbatch; do
        command -v $program >/dev/null || {
            echo "there is no $program (Debian: slurm-wlm, munge)"
            return
        }
    done
    [ "$(id -u)" = 0 ] || echo 'slurmd needs root'
}

slurm_stop() {
    for program in slurmd slurmctld munged; do
        process=$(cat "$slurm/$program.pid" 2>/dev/null) || continue
        kill "$process" 2>/dev/null
        for _ in $(seq 100); do
            kill -0 "$process" 2>/dev/null || break
            sleep 0.1
        done
    done
    rm -rf "$slurm"
}

# Ports that nobody listens on.
free_ports() {
    "$PYTHON" -c 'import socket
sockets = [socket.create_server(("", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in sockets))'
}

# slurm_start: status 1 if it does not answer; its words are in $slurm/*.log then.
slurm_start() {
    # Not in the folder of the test: munge wants folders that only root may write to, all the way up.
    slurm=$(mktemp -d /run/slurm-test.XXXXXX) || return 1
    chmod 755 "$slurm"
    mkdir "$slurm/state" "$slurm/spool"
    (umask 077 && head -c 128 /dev/urandom >"$slurm/key")
    # shellcheck disable=SC2046
    set -- $(free_ports)
    cat >"$slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=2
SlurmdParameters=config_overrides
NodeName=localhost CPUs=4 RealMemory=4000
PartitionName=test Nodes=localhost Default=YES State=UP
END
    export SLURM_CONF="$slurm/slurm.conf"
    (
        umask 022
        munged --key-file="$slurm/key" --socket="$slurm/munge.socket" --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" \
            --seed-file="$slurm/seed" && slurmctld -c && slurmd -N localhost -c
    ) >"$slurm/start.log" 2>&1 8>&- 9>&-
    for _ in $(seq 100); do
        [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && return
        sleep 0.2
    done
    return 1
}
