"""What the benches share: CPU of process trees from /proc, wrk, medians. Only the standard library."""
import json, os, statistics, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TICKS = os.sysconf("SC_CLK_TCK")
# Server and database on the first of the CPUs that we may use, load on the last.
CPUS = sorted(os.sched_getaffinity(0))
SERVER_CPU, LOAD_CPU = CPUS[0], CPUS[-1]


def processes():
    """pid -> (parent, user ticks, system ticks)"""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            text = open(f"/proc/{name}/stat").read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2:].split()
        found[int(name)] = (int(fields[1]), int(fields[11]), int(fields[12]))
    return found


def tree(root, without=()):
    """CPU so far of the processes below and with `root`, less the trees in `without`: pid -> (user, system) seconds"""
    everything = processes()
    wanted, grew = {root}, True
    while grew:
        grew = False
        for pid, (parent, _, _) in everything.items():
            if parent in wanted and pid not in wanted and pid not in without:
                wanted.add(pid)
                grew = True
    return {p: (everything[p][1] / TICKS, everything[p][2] / TICKS) for p in wanted if p in everything}


def used(before, after):
    """Seconds (user, system) between two looks at a tree; processes that ended in between are not counted"""
    return tuple(sum(v[i] - before.get(p, (0, 0))[i] for p, v in after.items()) for i in (0, 1))


def peak_memory(pid):
    """MiB: the most that was resident at once since the process began"""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def pinned(cpu, command, **options):
    return subprocess.Popen(["taskset", "-c", str(cpu), *command], **options)


def wrk(port, path, seconds, connections, cookie="", encoding=""):
    environment = dict(os.environ, BENCH_PATH=path, BENCH_COOKIE=cookie, BENCH_ENCODING=encoding,
                       BENCH_HOST=f"localhost:{port}")
    command = ["taskset", "-c", str(LOAD_CPU), "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s",
               "-s", f"{HERE}/page.lua", f"https://localhost:{port}/"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    for line in answer.stdout.splitlines():
        if line.startswith("JSON "):
            return json.loads(line[5:])
    raise SystemExit(f"wrk: {answer.stdout}{answer.stderr}")


def median(values):
    return statistics.median(values)


def spread(values):
    return f"{min(values):.0f}–{max(values):.0f}"


def machine():
    model = next((l.split(":", 1)[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown CPU")
    return f"{model}, {len(CPUS)} CPUs, load before the run {open('/proc/loadavg').read().split()[0]}"
