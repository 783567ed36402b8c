#!/usr/bin/env python3
"""The browser floor: a newcomer sets the server up, imports an export and reads the pages in Chromium.

    floor.py STEPWELL_BINARY [FOLDER_FOR_SCREENSHOTS]

Checks that the numbers on the pages equal `stepwell preview`, that no page breaks the content security policy, that axe finds nothing
(light and dark, desktop and phone) and that everything works without script. Ends with `N passed, N failed`."""
import http.client, json, os, re, ssl, subprocess, sys, tempfile, uuid
from playwright.sync_api import sync_playwright
from axe_playwright_python.sync_playwright import Axe
import export
from server import Server

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NAME, EMAIL, PASSWORD = "Ada Berg", "ada@family.example", "stair of sandstone 9"
passed, failures = 0, []


def check(what, truth, detail=""):
    global passed
    if truth:
        passed += 1
    else:
        failures.append(what)
        print(f"FAILED: {what} {detail}", flush=True)


def watched(page, complaints):
    page.on("console", lambda m: complaints.append(f"{page.url}: {m.text}") if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: complaints.append(f"{page.url}: {e}"))
    return page


def submit(page, name):
    page.get_by_role("button", name=name, exact=False).first.click()
    page.wait_for_load_state()


def set_up(page, server):
    code = server.wait_for(r"[Ss]et-up code:?\s+(\S+)").group(1)
    page.goto(server.address + "/")
    check("a fresh server leads to set-up", page.url.endswith("/setup"), page.url)
    page.fill('input[name="code"]', code)
    page.fill('input[name="name"]', NAME)
    page.fill('input[name="email"]', EMAIL)
    page.fill('input[name="password"]', PASSWORD)
    submit(page, "Create")


def sign_in(page, server):
    page.goto(server.address + "/sign-in")
    page.fill('input[name="email"]', EMAIL)
    page.fill('input[name="password"]', "not the password at all")
    submit(page, "Sign in")
    check("a wrong password says so without telling which field", page.locator('[role="alert"]').count() == 1)
    page.fill('input[name="password"]', PASSWORD)
    submit(page, "Sign in")
    check("sign-in leads to Today", page.url.endswith("/today"), page.url)


def set_zone(page, server):
    page.goto(server.address + "/settings")
    page.select_option('select[name="zone"]', export.ZONE)
    submit(page, "Save display")


def import_file(page, server, path):
    page.goto(server.address + "/imports")
    page.set_input_files('input[type="file"]', path)
    submit(page, "Import")
    for _ in range(120):
        if page.locator(".stepsl li.done").count() == page.locator(".stepsl li").count() > 0:
            break
        page.wait_for_timeout(250)
        page.reload()
    text = page.locator("main").inner_text()
    check("the import is done", "Done" in text, text[:400])
    check("the refused record is named with its reason", re.search(r"unit", text) is not None, text[-600:])
    return page.url


def grouped(n):
    return f"{n:,}"


def compare(page, server, preview):
    days = {d: v["steps"] for d, v in preview["days"].items()}
    today = str(export.TODAY)
    page.goto(server.address + "/today")
    check("Today prints preview's number", grouped(days[today]) in page.locator("main").inner_text())
    page.get_by_role("link", name="History").first.click()
    page.wait_for_load_state()
    check("History is reached from Today", "/history" in page.url, page.url)
    page.goto(server.address + "/history/month/2026-11")
    text = page.locator("main").inner_text()
    for day, steps in days.items():
        if day.startswith("2026-11"):
            check(f"the month shows {day}", grouped(steps) in text)
    page.goto(server.address + "/history/week/2026-11-16")
    text = page.locator("main").inner_text()
    week = [days[f"2026-11-{d}"] for d in range(16, 23)]
    check("the week sums its seven days", grouped(sum(week)) in text)
    page.goto(server.address + "/history/month/2026-11")
    page.locator('a[href$="/day/2026-11-20"]').first.click()
    page.wait_for_load_state()
    text = page.locator("main").inner_text()
    check("the day shows its total", grouped(days["2026-11-20"]) in text)
    check("the day names both devices", "iPhone" in text and "Watch" in text)
    page.goto(server.address + f"/day/{export.MISSING}")
    check("a day without data shows a dash and says why", "No data" in page.locator("main").inner_text())


MODES = [(scheme, name, {"width": width, "height": height})
         for scheme in ("light", "dark") for name, width, height in (("desktop", 1280, 900), ("phone", 390, 844))]


def examine(page, title, scheme, name, shots):
    """The page as it stands: axe, no sideways scrolling (on a phone also at 320 pixels, which is 1280 at 400 %)."""
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    found = Axe().run(page, options={"runOnly": TAGS}).response["violations"]
    check(f"axe finds nothing on {title}, {name}, {scheme}", not found,
          json.dumps([(v["id"], v["nodes"][0]["html"][:160]) for v in found]))
    fits = "document.documentElement.scrollWidth <= innerWidth"
    check(f"{title} does not scroll sideways, {name}", page.evaluate(fits))
    if name == "phone":
        size = page.viewport_size
        page.set_viewport_size({"width": 320, "height": 640})
        check(f"{title} does not scroll sideways at 320 pixels", page.evaluate(fits))
        page.set_viewport_size(size)
    if shots:
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = false)")
        page.screenshot(path=os.path.join(shots, f"{title}-{name}-{scheme}.png"), full_page=True)


def inspect(browser, server, state, pages, complaints, shots):
    for scheme, name, size in MODES:
        context = browser.new_context(ignore_https_errors=True, storage_state=state, color_scheme=scheme, viewport=size)
        page = watched(context.new_page(), complaints)
        for title, path in pages:
            page.goto(server.address + path)
            examine(page, title, scheme, name, shots)
        context.close()


def inspect_devices(browser, server, state, complaints, shots):
    """A token is shown once, so its page is looked at in every mode without loading it again; then the device it belongs to."""
    context = browser.new_context(ignore_https_errors=True, storage_state=state)
    page = watched(context.new_page(), complaints)
    page.goto(server.address + "/devices/new")
    page.fill('input[name="name"]', "Ada’s iPhone")
    page.locator('input[name="type"]').first.check()
    submit(page, "Add")
    token = page.locator("#tok").inner_text()
    check("a new device shows its token", re.match(r"swu_\w{20,}", token) is not None)
    for scheme, name, size in MODES:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        examine(page, "token", scheme, name, shots)
    page.goto(server.address + "/devices")
    page.get_by_role("link", name="Ada’s iPhone").first.click()
    page.wait_for_load_state()
    device = page.url[len(server.address):]
    context.close()
    inspect(browser, server, state, [("new-device", "/devices/new"), ("device", device)], complaints, shots)
    return token


def upload(server, token, start, end, steps):
    """What a phone sends: one sample of a time in which nothing else counted."""
    source = {"bundle": "com.apple.health.5EED0000-0000-4000-8000-0000000000FF", "name": "Ada’s iPhone", "productType": "iPhone15,2"}
    sample = {"uuid": str(uuid.uuid4()), "type": "stepCount", "unit": "count", "value": steps, "start": start, "end": end,
              "source": source}
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("localhost", server.port, context=tls, timeout=30)
    connection.request("POST", "/api/batches", json.dumps({"batch": str(uuid.uuid4()), "added": [sample]}),
                       {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    text = answer.read().decode()
    check("the phone's upload is taken", answer.status == 200 and '"stored":1' in text, f"{answer.status} {text[:300]}")


def watch_first(browser, server, state, complaints):
    """The page before the first data turns into Today when a phone sends something."""
    context = browser.new_context(ignore_https_errors=True, storage_state=state)
    page = watched(context.new_page(), complaints)
    page.goto(server.address + "/devices/new")
    page.fill('input[name="name"]', "An old phone")
    page.locator('input[name="type"]').first.check()
    submit(page, "Add")
    token = page.locator("#tok").inner_text()
    with page.expect_request(lambda r: r.url.endswith("/today/live")):
        page.goto(server.address + "/today")
    page.evaluate("window.sameDocument = true")
    upload(server, token, "2026-10-01T07:00:00Z", "2026-10-01T07:10:00Z", 321)
    page.locator('[data-part="week"]').wait_for(timeout=15_000)
    check("the first data arrives in place", page.evaluate("window.sameDocument === true"))
    context.close()


def watch_live(browser, server, state, token, steps, complaints):
    """Today follows an upload without being loaded, keeps what is open, and says it aloud."""
    context = browser.new_context(ignore_https_errors=True, storage_state=state)
    page = watched(context.new_page(), complaints)
    with page.expect_request(lambda r: r.url.endswith("/today/live")):
        page.goto(server.address + "/today")
    page.evaluate("window.sameDocument = true; document.querySelector('details.alt').open = true")
    upload(server, token, "2026-11-26T01:00:00Z", "2026-11-26T01:10:00Z", 1234)
    page.locator('[data-part="steps"] .big', has_text=grouped(steps + 1234)).wait_for(timeout=15_000)
    check("Today changes in place", page.evaluate("window.sameDocument === true"))
    check("an open table stays open", page.evaluate("document.querySelector('details.alt').open"))
    page.locator("#heard", has_text=grouped(steps + 1234)).wait_for(state="attached", timeout=10_000)
    context.close()


def inspect_running(browser, server, state, path, complaints, shots):
    """The page of an import that runs: held still while it is looked at, then let go on; it must end in place."""
    context = browser.new_context(ignore_https_errors=True, storage_state=state)
    page = watched(context.new_page(), complaints)
    page.goto(server.address + "/imports")
    page.set_input_files('input[type="file"]', path)
    held = re.compile(re.escape(server.address) + r"/imports/\w+$")
    looks = []
    def hold(route):
        if route.request.resource_type == "xhr":
            looks.append(route.request.url)
            route.fulfill(status=429, body="")
        else:
            route.continue_()
    page.route(held, hold)
    submit(page, "Import")
    check("the import runs while its page is looked at", page.locator("[data-poll] progress").count() == 1)
    page.evaluate("window.sameDocument = true")
    for scheme, name, size in MODES:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        examine(page, "import-running", scheme, name, shots)
    page.wait_for_event("response", lambda r: r.status == 429)
    check("the script looks how far the import is", len(looks) > 0)
    page.get_by_role("button", name="Cancel import").focus()
    page.unroute(held)
    page.get_by_role("heading", name="Import done").wait_for(timeout=180_000)
    check("the focus is where the content begins", page.evaluate("document.activeElement.id") == "main")
    check("the import ends in place, without loading the page", page.evaluate("window.sameDocument === true"))
    check("the title tells that it is done", page.title().startswith("Import done"), page.title())
    page.locator("#heard", has_text="Import done").wait_for(state="attached", timeout=10_000)
    # The session ends while the page of another import looks on: the whole page goes to the sign-in.
    page.route(held, hold)
    page.goto(server.address + "/imports")
    page.set_input_files('input[type="file"]', path)
    submit(page, "Import")
    check("the second import runs", page.locator("[data-poll]").count() == 1)
    context.clear_cookies()
    page.unroute(held)
    page.wait_for_url(re.compile(r"/sign-in\?"), timeout=30_000)
    context.close()


def walk_by_keyboard(browser, server, state, complaints):
    context = browser.new_context(ignore_https_errors=True, storage_state=state, viewport={"width": 1280, "height": 900})
    page = watched(context.new_page(), complaints)
    for path in ("/today", "/settings", "/imports", "/devices"):
        page.goto(server.address + path)
        page.keyboard.press("Tab")
        check(f"the first Tab on {path} reaches the skip link", page.evaluate("document.activeElement.matches('.skip')"))
        stops, hidden = 0, []
        while stops < 80:
            seen = page.evaluate("""() => {
                const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
                if (e === document.body) return null;
                // The button inside a date field is the browser's own; it draws its focus inside the field.
                const shows = e.type === 'date' || s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2;
                return [shows && r.bottom > 0 && r.top < innerHeight, e.outerHTML.slice(0, 120)];
            }""")
            if seen is None:
                break
            if not seen[0]:
                hidden.append(seen[1])
            stops += 1
            page.keyboard.press("Tab")
        check(f"every stop of Tab on {path} is seen", stops > 5 and not hidden, f"{stops}: {hidden[:4]}")
    page.goto(server.address + "/today")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    check("the skip link leads to the content", page.evaluate("document.activeElement.id") == "main")
    context.close()


def main(argv):
    shots = argv[2] if len(argv) > 2 else None
    if shots:
        os.makedirs(shots, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="stepwell-export-")
    path = os.path.join(folder, "Export.zip")
    export.write(path)
    preview = json.loads(subprocess.run([argv[1], "preview", path, "--zone", export.ZONE], check=True, capture_output=True).stdout)
    complaints = []
    with Server(argv[1], export.NOW) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(ignore_https_errors=True, java_script_enabled=False)
        page = watched(context.new_page(), complaints)
        set_up(page, server)
        context.clear_cookies()
        sign_in(page, server)
        set_zone(page, server)
        page.goto(server.address + "/today")
        check("Today without data offers the ways in", page.locator('a[href$="/imports"]').count() > 0)
        empty = context.storage_state()
        inspect(browser, server, empty, [("empty-today", "/today"), ("empty-history", "/history"), ("confirm", "/confirm")], complaints, shots)
        watch_first(browser, server, empty, complaints)
        imported = import_file(page, server, path)
        compare(page, server, preview)
        state = context.storage_state()
        pages = [("today", "/today"), ("history", "/history"), ("week", "/history/week/2026-11-16"),
                 ("month", "/history/month/2026-11"), ("year", "/history/year/2026"),
                 ("custom", "/history?from=2026-11-01&to=2026-11-20"), ("day", "/day/2026-11-20"), ("import", "/imports"),
                 ("import-result", imported[len(server.address):]), ("devices", "/devices"), ("settings", "/settings"),
                 ("sessions", "/settings/sessions"), ("password", "/settings/password"),
                 ("not-found", "/day/2026-99-99")]
        inspect(browser, server, state, pages, complaints, shots)
        inspect(browser, server, None, [("sign-in", "/sign-in")], complaints, shots)
        walk_by_keyboard(browser, server, state, complaints)
        token = inspect_devices(browser, server, state, complaints, shots)
        watch_live(browser, server, state, token, preview["days"][str(export.TODAY)]["steps"], complaints)
        large = os.path.join(folder, "Large.zip")
        export.write(large, days=700)
        inspect_running(browser, server, state, large, complaints, shots)
        submit(page, "Sign out") if page.goto(server.address + "/settings") else None
        page.goto(server.address + "/today")
        check("signed out, Today leads to sign-in", "/sign-in" in page.url, page.url)
        browser.close()
    complaints = [c for c in complaints if "status of 4" not in c]
    check("no message about the content security policy or scripts", not complaints, "; ".join(complaints[:5]))
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
