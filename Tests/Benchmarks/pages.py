#!/usr/bin/env python3
"""pages.py [ROUNDS] [SECONDS] [CONNECTIONS]: CPU per request of server and PostgreSQL for Ada's pages, beside nginx with a
static file of the same bytes, in interleaved rounds. Prints a table for deploy/measured.md."""
import datetime, sys, time
import measure
from house import House, Visitor
from nginx import Nginx


def addresses():
    today = datetime.date.today()
    month = today.replace(day=1)
    while True:  # the last whole month with 31 days
        end = month
        month = (month - datetime.timedelta(days=1)).replace(day=1)
        if (end - month).days == 31:
            break
    return {"Today": "/today", "History month": f"/history/month/{month:%Y-%m}",
            "History year": f"/history/year/{month:%Y}"}


def round_of(stepwell, nginx, name, path, coding, cookie, seconds, connections):
    """One short run against each; seconds of CPU per request of server, database, nginx"""
    encoding = "gzip" if coding == "gzip" else ""
    measure.wrk(stepwell.port, path, 1, connections, cookie, encoding)
    server, database = stepwell.server_cpu(), stepwell.database_cpu()
    ours = measure.wrk(stepwell.port, path, seconds, connections, cookie, encoding)
    server = measure.used(server, stepwell.server_cpu())
    database = measure.used(database, stepwell.database_cpu())
    static = f"/{name.replace(' ', '-')}.html"
    measure.wrk(nginx.port, static, 1, connections, "", encoding)
    before = nginx.cpu()
    theirs = measure.wrk(nginx.port, static, seconds, connections, "", encoding)
    yardstick = measure.used(before, nginx.cpu())
    if ours["bad"] or theirs["bad"]:
        raise SystemExit(f"{name}: {ours['bad']} bad answers of Stepwell, {theirs['bad']} of nginx")
    return {"server": sum(server) * 1e6 / ours["requests"], "database": sum(database) * 1e6 / ours["requests"],
            "nginx": sum(yardstick) * 1e6 / theirs["requests"], "rate": ours["requests"] * 1e6 / ours["microseconds"],
            "p50": ours["p50"] / 1000, "p99": ours["p99"] / 1000, "wire": ours["bytes"] / ours["requests"]}


def main():
    rounds, seconds, connections = [int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((1, 5), (2, 4), (3, 16))]
    with House(seeded=True) as stepwell, \
            Nginx(stepwell.data + "/house/certificate.pem", stepwell.data + "/house/certificate-key.pem") as nginx:
        ada = Visitor(stepwell.port)
        ada.sign_in("ada@family.example", stepwell.password("ada@family.example"))
        pages, results, sizes = addresses(), {}, {}
        for name, path in pages.items():
            answer = ada.ask("GET", path)
            if answer.status != 200:
                raise SystemExit(f"{path} answers {answer.status}")
            sizes[name] = len(answer.text)
            nginx.put(name.replace(" ", "-"), answer.text)
        where = measure.machine()
        for how in ("seen before", "written anew"):
            if how == "written anew":
                stepwell.reopen(page_memory=0)
            for _ in range(rounds):
                for name, path in pages.items():
                    for coding in ("identity", "gzip"):
                        one = round_of(stepwell, nginx, name, path, coding, ada.cookie, seconds, connections)
                        results.setdefault((name, how, coding), []).append(one)
        report(results, sizes, where, rounds, seconds, connections)


def report(results, sizes, where, rounds, seconds, connections):
    print(f"{time.strftime('%Y-%m-%d')} · `Tests/Benchmarks/run.sh pages {rounds} {seconds} {connections}` · {where}\n")
    print("| page | answer | coding | bytes | server µs | PostgreSQL µs | nginx static µs | server ÷ nginx | requests/s | p50 ms | p99 ms |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (name, how, coding), all_rounds in results.items():
        of = lambda key: [one[key] for one in all_rounds]
        ratio = measure.median([one["server"] / one["nginx"] for one in all_rounds])
        print(f"| {name} | {how} | {coding} | {sizes[name]:,} ({measure.median(of('wire')):,.0f} on the wire) "
              f"| {measure.median(of('server')):.0f} ({measure.spread(of('server'))}) "
              f"| {measure.median(of('database')):.0f} ({measure.spread(of('database'))}) "
              f"| {measure.median(of('nginx')):.0f} ({measure.spread(of('nginx'))}) | {ratio:.1f} "
              f"| {measure.median(of('rate')):,.0f} | {measure.median(of('p50')):.1f} | {measure.median(of('p99')):.1f} |")


if __name__ == "__main__":
    main()
