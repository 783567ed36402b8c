#!/usr/bin/env python3
"""imports.py [MEGABYTES]: the reader alone (MB of export per second of CPU), then the whole import into a running Stepwell:
samples per second, peak memory of the server, and how fast pages answer meanwhile."""
import os, re, subprocess, sys, tempfile, threading, time
import measure
from house import House, Visitor


def generate(megabytes, path):
    with open(path, "wb") as file:
        told = subprocess.run([sys.executable, f"{measure.HERE}/big_export_gen.py", str(megabytes)], stdout=file,
                              stderr=subprocess.PIPE, text=True, check=True).stderr
    return int(re.search(r"steps-records (\d+)", told).group(1))


def read_alone(path, rounds=3):
    program = os.path.join(measure.ROOT, ".build/release/ReaderBench")
    lines = [subprocess.run(["taskset", "-c", str(measure.SERVER_CPU), program, path], capture_output=True, text=True,
                            check=True).stdout.strip() for _ in range(rounds)]
    rates = [float(re.search(r"([\d.]+) MB/s", line).group(1)) for line in lines]
    print(f"| reader alone | {measure.median(rates):.0f} MB per second of CPU ({measure.spread(rates)}) |")
    print(f"| what it read | {lines[0].split(': ', 1)[1]} |", flush=True)


class Onlooker(threading.Thread):
    """Opens Today again and again while an import runs."""

    def __init__(self, visitor, path):
        super().__init__(daemon=True)
        self.visitor, self.path, self.times, self.bad, self.over = visitor, path, [], 0, False

    def run(self):
        while not self.over:
            start = time.time()
            try:
                self.bad += self.visitor.ask("GET", self.path).status != 200
            except OSError:
                self.bad += 1
            self.times.append((time.time() - start) * 1000)
            time.sleep(0.05)


def whole_import(path, steps):
    with House(seeded=False) as stepwell:
        ada = Visitor(stepwell.port)
        password = "ada walks down to the water"
        answer = ada.post("/setup", [("code", stepwell.set_up_code), ("name", "Ada"), ("email", "ada@family.example"),
                                     ("password", password), ("zone", "America/New_York"), ("week", "0")])
        if answer.status != 303:
            raise SystemExit(f"set-up answers {answer.status}: {answer.text[:800].decode()}")
        if not any(name.endswith("sw") for name in ada.cookies):
            ada.sign_in("ada@family.example", password)
        idle = measure.peak_memory(stepwell.process.pid)
        server, database, start = stepwell.server_cpu(), stepwell.database_cpu(), time.time()
        address = ada.upload(path)
        uploaded = time.time() - start
        watcher = Onlooker(ada, "/today")
        watcher.start()
        page = ada.ask("GET", address)
        while b" data-poll=" in page.text:
            time.sleep(0.3)
            page = ada.ask("GET", address)
        took = time.time() - start
        watcher.over = True
        watcher.join()
        server = sum(measure.used(server, stepwell.server_cpu()))
        database = sum(measure.used(database, stepwell.database_cpu()))
        peak = measure.peak_memory(stepwell.process.pid)
        if "Import done" not in page.text.decode():
            raise SystemExit("the import did not end well: " + re.sub(r"<[^>]*>|\s+", " ", page.text.decode())[:1500])
    times = sorted(watcher.times)
    size = os.path.getsize(path) / 1e6
    print(f"| upload over TLS | {size:.0f} MB in {uploaded:.1f} s |")
    print(f"| whole import | {took:.0f} s: {size / took:.1f} MB/s, {steps / took:,.0f} samples/s ({steps:,} step records) |")
    print(f"| CPU | server {server:.1f} s, PostgreSQL {database:.1f} s: {(server + database) * 1e6 / steps:.0f} µs a sample |")
    print(f"| peak memory of the server | {peak:.0f} MiB ({idle:.0f} before) |")
    print(f"| Today meanwhile | {len(times)} times, {watcher.bad} bad, median {times[len(times) // 2]:.0f} ms, "
          f"p99 {times[len(times) * 99 // 100]:.0f} ms (each over a new TLS connection) |")


def main():
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory(prefix="stepwell-export-") as folder:
        path = folder + "/export.xml"
        steps = generate(megabytes, path)
        print(f"{time.strftime('%Y-%m-%d')} · `Tests/Benchmarks/run.sh imports {megabytes:.0f}` · {measure.machine()}\n")
        print("| measured | result |\n|---|---|")
        read_alone(path)
        whole_import(path, steps)


if __name__ == "__main__":
    main()
