#!/usr/bin/env python3
"""uploads.py [ROUNDS [BATCHES]]: batches of 1,000 new samples from one phone: CPU of the server and of PostgreSQL for each, beside plain
binary COPY of the same rows into the same table."""
import glob, http.client, json, os, re, struct, subprocess, sys, time, uuid
import measure
from house import House, TLS, Visitor

SAMPLES = 1000
EPOCH_2000 = 946_684_800


def batch(day):
    """1,000 minutes of one day, as PhoneKit sends them"""
    start = int(time.time()) // 86_400 * 86_400 - day * 86_400

    def moment(second):
        return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(second))

    source = {"bundle": "com.apple.health.5EED0000-0000-4000-8000-00000000000A", "name": "Ada’s Apple Watch",
              "osVersion": "11.5", "productType": "Watch7,1"}
    added = [{"end": moment(start + 60 * n + 60), "recorded": moment(start + 60 * n + 90), "source": source,
              "start": moment(start + 60 * n), "type": "stepCount", "unit": "count",
              "uuid": str(uuid.uuid4()).upper(), "value": 20 + n % 90} for n in range(SAMPLES)]
    return json.dumps({"added": added, "asked": [], "batch": str(uuid.uuid4()), "deleted": [], "activitySummaries": [],
                       "zone": "Europe/Berlin"}, ensure_ascii=False, separators=(",", ":")).encode()


def rows(day):
    """The same rows as PostgreSQL's binary COPY format, for somebody who is no person of this server"""
    start = (int(time.time()) // 86_400 * 86_400 - day * 86_400 - EPOCH_2000) * 1_000_000
    out = [b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)]
    for n in range(SAMPLES):
        out.append(struct.pack(
            ">hiqiqi16sidiqiiihihihi", 10, 8, 1, 8, start + n * 60_000_000, 16, uuid.uuid4().bytes, 8, 20 + n % 90,
            8, start + (n * 60 + 90) * 1_000_000, 4, 60_000, 2, 1, 2, 0, 2, 1, -1))
    return b"".join(out) + struct.pack(">h", -1)


class Copier:
    """One open session of psql that copies files"""

    def __init__(self, house):
        socket = next(os.path.dirname(p) for p in glob.glob(house.data + "/**/.s.PGSQL.*", recursive=True) if not p.endswith(".lock"))
        port = re.search(r"PGSQL\.(\d+)", "".join(os.listdir(socket))).group(1)
        self.file = house.data + "/rows.bin"
        self.psql = subprocess.Popen(["psql", "-X", "-q", "-h", socket, "-p", port, "-U", "postgres", "-d", "stepwell"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def copy(self, content):
        with open(self.file, "wb") as file:
            file.write(content)
        self.psql.stdin.write(f"\\copy samples from '{self.file}' (format binary)\n\\echo done\n")
        self.psql.stdin.flush()
        if self.psql.stdout.readline().strip() != "done":
            raise SystemExit("psql could not copy")

    def close(self):
        self.psql.stdin.close()
        self.psql.wait()


class Phone:
    def __init__(self, house, token):
        self.connection = http.client.HTTPSConnection("localhost", house.port, context=TLS, timeout=60)
        self.token = token

    def send(self, body, expected=200):
        self.connection.request("POST", "/api/batches", body=body,
                                headers={"Content-Type": "application/json", "X-Stepwell-Token": self.token})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != expected or (expected == 200 and b'"stored":1000' not in text):
            raise SystemExit(f"a batch was answered {answer.status}: {text[:500]}")


def begin(house):
    ada = Visitor(house.port)
    answer = ada.post("/setup", [("code", house.set_up_code), ("name", "Ada"), ("email", "ada"),
                                 ("password", "ada walks down to the water"), ("zone", "Europe/Berlin"), ("week", "0")])
    if answer.status != 303:
        raise SystemExit(f"set-up answers {answer.status}")
    page = ada.post("/devices", [("name", "iPhone"), ("type", "stepCount"), ("type", "activitySummary")], "/devices/new")
    return re.search(r'id="tok">(swu_\w+)<', page.text.decode()).group(1)


def timed(house, work, count):
    """CPU of server and PostgreSQL in ms for one of `count` calls"""
    server, database = house.server_cpu(), house.database_cpu()
    for n in range(count):
        work(n)
    return [sum(measure.used(before, after)) * 1000 / count
            for before, after in ((server, house.server_cpu()), (database, house.database_cpu()))]


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    os.sched_setaffinity(0, {measure.LOAD_CPU})
    print(f"{time.strftime('%Y-%m-%d')} · `Tests/Benchmarks/run.sh uploads {rounds} {count}` · {measure.machine()}\n")
    with House(seeded=False) as house:
        phone, copier, day = Phone(house, begin(house)), Copier(house), 10
        found = []
        for number in range(rounds + 1):
            bodies = [batch(day + n) for n in range(count)]
            broken = [b"x" + body for body in bodies]
            files = [rows(day + n) for n in range(count)]
            day += count
            sent = timed(house, lambda n: phone.send(bodies[n]), count)
            refused = timed(house, lambda n: phone.send(broken[n], 400), count)
            again = timed(house, lambda n: phone.send(bodies[n]), count)
            copied = timed(house, lambda n: copier.copy(files[n]), count)
            if number > 0:  # the first warms up
                found.append((sent[0], refused[0], sent[0] - refused[0], sent[1], copied[1], sent[1] / copied[1], again[0], again[1]))
        copier.close()
    names = ["server, a batch of 1,000 new samples", "server, the same bytes refused at the first (TLS, HTTP, token)",
             "server beyond that", "PostgreSQL, a batch", "PostgreSQL, plain binary COPY of the rows", "PostgreSQL ÷ COPY",
             "server, the same batch again", "PostgreSQL, the same batch again"]
    print(f"{len(bodies[0]):,} bytes a batch, {rounds} rounds of {count}; CPU in ms, medians of the rounds\n")
    print("| measured | CPU ms | smallest–largest |\n|---|---|---|")
    for name, values in zip(names, zip(*found)):
        print(f"| {name} | {measure.median(values):.2f} | {min(values):.2f}–{max(values):.2f} |")


if __name__ == "__main__":
    main()
