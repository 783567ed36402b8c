#!/usr/bin/env python3
"""Writes the case folders beside it. Their answers come from merge_reference.py (the days) and from what each record here is
declared to be (the refusals), never from the program under test.
usage: python3 make.py"""
import io, json, os, shutil, struct, sys, zipfile
from datetime import datetime, timedelta, timezone, date
from fractions import Fraction as F
sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
import zoneinfo
zoneinfo.reset_tzpath(to=[os.path.join(here, "..", "zoneinfo")])
sys.path.insert(0, os.path.join(here, "..", "reference"))
import merge_reference as ref

RECEIVED = "2025-12-31T12:00:00Z"
NY, BERLIN = "America/New_York", "Europe/Berlin"
DTD = '''<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
'''
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n' + DTD + '<HealthData locale="en_US">\n <ExportDate value="2025-12-31 07:00:00 -0500"/>\n'
TAIL = "</HealthData>\n"
STEP = "HKQuantityTypeIdentifierStepCount"


def esc(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def when(text):
    """'2025-06-10 08:00:00 -0400' as exact seconds."""
    return F(int(datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp()))


class Rec:
    """One element: its text, and the sample or the refusal that it stands for."""
    def __init__(self, text, sample=None, reason=None, counted=True):
        self.text, self.sample, self.reason, self.counted = text, sample, reason, counted


DEVICES = {
    "watch": "<<HKDevice: 0x301a>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.5, creation date:2025-01-02 08:00:00 +0000>",
    "phone": "<<HKDevice: 0x301b>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:18.5>",
}
VERSIONS = {"watch": "11.5", "phone": "18.5", "other": "3.2.1", "manual": "18.5"}
NAMES = {"watch": "Ada’s Apple Watch", "phone": "Ada’s iPhone", "other": "StepRing", "manual": "Health"}
CLASSES = {"watch": ref.WATCH, "phone": ref.PHONE, "other": ref.OTHER, "manual": ref.MANUAL}


def step(kind, start, end, value, *, name=None, key=None, cls=None, recorded="end", zone=None, number=None, reason=None,
         meta=(), extra="", **attributes):
    """A step record. attributes override; None leaves one out."""
    name = NAMES[kind] if name is None else name
    a = {"type": STEP, "sourceName": name, "sourceVersion": VERSIONS[kind], "device": DEVICES.get(kind), "unit": "count",
         "creationDate": end if recorded == "end" else recorded, "startDate": start, "endDate": end, "value": None if value is None else str(value)}
    a.update(attributes)
    text = "".join(' %s="%s"' % (k, esc(v)) for k, v in a.items() if v is not None) + extra
    meta = list(meta)
    if kind == "manual" and not any(k == "HKWasUserEntered" for k, _ in meta):
        meta.append(("HKWasUserEntered", "1"))
    if meta:
        text = " <Record%s>\n%s </Record>\n" % (text, "".join('  <MetadataEntry key="%s" value="%s"/>\n' % (k, esc(v)) for k, v in meta))
    else:
        text = " <Record%s/>\n" % text
    if reason:
        return Rec(text, reason=reason)
    source = key or ("manual" if kind == "manual" else "apple:" + name)
    stored = when(recorded if recorded not in ("end", None, "") else end)
    sample = ref.Sample(source, CLASSES[kind] if cls is None else cls, when(start), when(end),
                        F(str(value)) if number is None else F(number), stored, "", zone)
    return Rec(text, sample)


def other(text):
    return Rec(text, counted=False)


def heart():
    return Rec(' <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" startDate="x" endDate="y" value="z">\n  <MetadataEntry key="HKWasUserEntered" value="1"/>\n </Record>\n')


def summary(day, ring=None, reason=None, **a):
    fields = {"dateComponents": day, "activeEnergyBurned": "450", "activeEnergyBurnedGoal": "400", "activeEnergyBurnedUnit": "Cal",
              "appleExerciseTime": "30", "appleExerciseTimeGoal": "30", "appleStandHours": "12", "appleStandHoursGoal": "12"}
    fields.update(a)
    text = " <ActivitySummary" + "".join(' %s="%s"' % (k, v) for k, v in fields.items() if v is not None) + "/>\n"
    r = Rec(text, reason=reason)
    r.ring = (day, ring) if reason is None else None
    return r


def ring(value, goal):
    if value is None:
        return None
    if not goal:
        return {"value": value, "goal": goal, "percent": None, "closed": None}
    exact, aim = F(str(value)), F(str(goal))
    return {"value": value, "goal": goal, "percent": int((100 * exact / aim + F(1, 10**6)) // 1), "closed": exact + F(1, 10**6) >= aim}


def rings(move=(450, 400), exercise=(30, 30), stand=(12, 12), mode="energy"):
    return {"moveMode": mode, "paused": False, "move": ring(*move), "exercise": ring(*exercise), "stand": ring(*stand)}


class Case:
    def __init__(self, name, why, kind="own", zones=NY, priority=None, manual=True, week=0, want=None):
        self.name, self.why, self.kind, self.zones = name, why, kind, zones
        self.priority, self.manual, self.week, self.want = priority or [], manual, week, want or {}
        self.files, self.rejected, self.errors, self.samples, self.rings = [], [], [], {}, {}

    def file(self, path, records, *, raw=None, fmt="apple-xml", received=RECEIVED, truncated=False, error=None, snapshot=True):
        """records: what the file holds; raw: its bytes if they are not simply head + records + tail."""
        data = raw if raw is not None else (HEAD + "".join(r.text for r in records) + TAIL).encode()
        self.files.append((path, fmt, received, data))
        if error:
            self.errors.append({"file": path, "error": error})
            return self
        if truncated:
            self.errors.append({"file": path, "error": "truncated"})
        elif snapshot:
            self.samples, self.rings = {}, {}
        n = 0
        for r in records:
            if not r.counted:
                continue
            n += 1
            if r.reason:
                self.rejected.append({"file": path, "record": n, "reason": r.reason})
            elif r.sample is not None:
                self.samples.setdefault(r.sample, None)
            elif getattr(r, "ring", None):
                day, value = r.ring
                self.rings.pop(day, None)
                if value:
                    self.rings[day] = value
        return self

    def write(self):
        folder = os.path.join(here, self.name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        account = {"zones": self.zones}
        if self.week: account["weekStart"] = self.week
        if self.priority: account["priority"] = self.priority
        if not self.manual: account["includeManual"] = False
        config = {"kind": self.kind, "account": account,
                  "files": [{"path": p, "format": f, "receivedAt": r} for p, f, r, _ in self.files]}
        if self.want: config["want"] = self.want
        for path, _, _, data in self.files:
            with open(os.path.join(folder, path), "wb") as f:
                f.write(data)
        opt = ref.Options(zones=self.zones, priority=self.priority, include_manual=self.manual)
        exact = ref.day_totals(list(self.samples), opt)
        shown = {d: ref.round_steps(v) for d, v in exact.items()}
        expected = {"days": {d.isoformat(): {"steps": shown[d], "exact": str(exact[d])} for d in sorted(exact)},
                    "rejected": self.rejected}
        if self.errors: expected["fileErrors"] = self.errors
        if self.rings: expected["rings"] = dict(sorted(self.rings.items()))
        if self.want.get("weeks"):
            weeks = {}
            for d, v in shown.items():
                w = weeks.setdefault(ref.week_of(d, self.week).isoformat(), {"steps": None, "daysWithSteps": 0, "daysAllClosed": 0})
                w["steps"] = (w["steps"] or 0) + v
                w["daysWithSteps"] += 1
            for d, r in self.rings.items():
                w = weeks.setdefault(ref.week_of(date.fromisoformat(d), self.week).isoformat(), {"steps": None, "daysWithSteps": 0, "daysAllClosed": 0})
                w["daysAllClosed"] += all_closed(r)
            if not self.rings:
                for w in weeks.values(): del w["daysAllClosed"]
            expected["weeks"] = weeks
        if self.want.get("streakOn"):
            expected["streak"] = {"move": self.streak(lambda r: r["move"] and r["move"]["closed"]), "all": self.streak(all_closed)}
        expected["why"] = self.why
        for name, value in (("config.json", config), ("expected.json", expected)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                json.dump(value, f, indent=1, ensure_ascii=False)
                f.write("\n")

    def streak(self, met):
        day, count = date.fromisoformat(self.want["streakOn"]), 0
        first = True
        while True:
            r = self.rings.get(day.isoformat())
            if r and met(r): count += 1
            elif not first: return count
            day, first = day - timedelta(days=1), False


def all_closed(r):
    own = [r[k]["closed"] for k in ("move", "exercise", "stand") if r[k] and r[k]["closed"] is not None]
    return bool(own) and all(own)


def zipped(entries, *, stream=False, method=zipfile.ZIP_DEFLATED):
    """entries: (name, bytes). stream: sizes only behind the data, as iOS writes them."""
    out = io.BytesIO()
    class Pipe:
        def write(self, b): return out.write(b)
        def flush(self): pass
    with zipfile.ZipFile(Pipe() if stream else out, "w", method) as z:
        for name, data in entries:
            info = zipfile.ZipInfo(name, (2025, 12, 31, 7, 0, 0))
            info.compress_type = method
            with z.open(info, "w", force_zip64="zip64" in name) as f:
                f.write(data)
    return out.getvalue()


def document(records):
    return (HEAD + "".join(r.text for r in records) + TAIL).encode()


CDA = b'<?xml version="1.0"?>\n<ClinicalDocument xmlns="urn:hl7-org:v3"><title>HealthData</title></ClinicalDocument>\n<junk/>\n'
D = "2025-06-10 %s -0400"


def hour(kind, h, value, **k):
    return step(kind, D % ("%02d:00:00" % h), D % ("%02d:59:59" % h), value, **k)


cases = []
def case(*a, **k):
    c = Case(*a, **k)
    cases.append(c)
    return c


# --- days and zones ---------------------------------------------------------------------------------------------------
case("dst-autumn-25h", "Berlin 2025-10-26 has 25 hours; a sample over the whole day stays on it, one over the repeated hour too.", zones=BERLIN).file("export.xml", [
    step("watch", "2025-10-26 00:00:00 +0200", "2025-10-27 00:00:00 +0100", 2500),
    step("other", "2025-10-25 23:00:00 +0200", "2025-10-26 00:00:00 +0200", 60),
    step("other", "2025-10-27 00:00:00 +0100", "2025-10-27 01:00:00 +0100", 30)])
case("samoa-lost-day", "Apia has no 30 December 2011: a sample from the 29th to the 31st is shared between these two.", zones="Pacific/Apia").file("export.xml", [
    step("watch", "2011-12-29 22:00:00 -1000", "2011-12-31 02:00:00 +1400", 400),
    step("phone", "2011-12-31 10:00:00 +1400", "2011-12-31 11:00:00 +1400", 70)])
case("no-midnight-havana", "Havana jumps from 00:00 to 01:00 on 2025-03-09.", zones="America/Havana").file("export.xml", [
    step("watch", "2025-03-09 04:30:00 +0000", "2025-03-09 05:30:00 +0000", 100)])
case("half-hour-saving-lord-howe", "Lord Howe moves its clock by 30 minutes.", zones="Australia/Lord_Howe").file("export.xml", [
    step("watch", "2025-04-05 13:00:00 +0000", "2025-04-06 13:30:00 +0000", 2450)])
case("quarter-hour-offset", "Offsets of 5:45 find the instant; the date is that of the account.", zones="Asia/Kathmandu").file("export.xml", [
    step("watch", "2025-06-10 23:45:00 +0545", "2025-06-11 00:15:00 +0545", 30),
    step("phone", "2025-06-10 18:00:00 +0000", "2025-06-10 18:30:00 +0000", 31)])
case("offset-is-only-an-instant", "A record written with another zone's offset lies on the account's date.", zones=BERLIN).file("export.xml", [
    step("watch", "2025-06-10 20:00:00 -0400", "2025-06-10 20:30:00 -0400", 90)])
case("zones-dated-list", "A list of zones: New York until the flight, then Tokyo.", zones=[[None, NY], ["2025-06-12T09:00:00+00:00", "Asia/Tokyo"], ["2025-06-20T00:00:00Z", BERLIN]]).file("export.xml", [
    step("watch", "2025-06-12 08:00:00 +0000", "2025-06-12 16:00:00 +0000", 800),
    step("phone", "2025-06-19 23:30:00 +0000", "2025-06-20 00:30:00 +0000", 100)])
case("hktimezone-of-the-walk", "HKTimeZone moves a walk to its own date; an unknown name counts as none.").file("export.xml", [
    step("watch", "2025-06-10 22:00:00 +0000", "2025-06-10 22:30:00 +0000", 70, zone="Asia/Tokyo", meta=[("HKTimeZone", "Asia/Tokyo")]),
    step("watch", "2025-06-10 23:00:00 +0000", "2025-06-10 23:30:00 +0000", 40, meta=[("HKTimeZone", "Mars/Olympus")])])
# --- sources ----------------------------------------------------------------------------------------------------------
case("manual-values", "HKWasUserEntered 1, YES and true are entries by hand; 0 and NO are not.").file("export.xml", [
    step("manual", D % "10:00:00", D % "10:10:00", 10, meta=[("HKWasUserEntered", "YES")]),
    step("manual", D % "11:00:00", D % "11:10:00", 20, meta=[("HKTimeZone", NY), ("HKWasUserEntered", "true")], zone=NY),
    step("other", D % "12:00:00", D % "12:10:00", 30, name="Health", meta=[("HKWasUserEntered", "0")]),
    step("other", D % "12:00:00", D % "12:10:00", 31, name="A", meta=[("HKWasUserEntered", "NO")]),
    step("watch", D % "10:00:00", D % "13:00:00", 300)])
case("manual-left-out", "includeManual false leaves entries by hand out, also of the days that only they touch.", manual=False).file("export.xml", [
    step("manual", D % "10:00:00", D % "10:00:00", 500), step("watch", D % "09:30:00", D % "10:30:00", 100),
    step("manual", "2025-06-11 10:00:00 -0400", "2025-06-11 11:00:00 -0400", 900)])
case("manual-one-source", "Entries by hand of two apps are one source: the later recorded one wins where they overlap.").file("export.xml", [
    step("manual", D % "10:00:00", D % "11:00:00", 600, name="Health", recorded=D % "12:00:00"),
    step("manual", D % "10:30:00", D % "11:30:00", 60, name="My Diary", recorded=D % "13:00:00")])
case("priority-with-manual-last", "The own order puts the phone before entries by hand.", priority=["apple:Ada’s iPhone", "manual"]).file("export.xml", [
    step("manual", D % "10:00:00", D % "11:00:00", 1000), step("phone", D % "10:00:00", D % "10:30:00", 100),
    step("watch", D % "10:00:00", D % "11:30:00", 900)])
case("priority-names-unknown", "Keys in the order that no sample has change nothing.", priority=["merged:hae", "apple:Nobody", "apple:StepRing"]).file("export.xml", [
    step("other", D % "10:00:00", D % "10:30:00", 100), step("watch", D % "10:00:00", D % "11:00:00", 900)])
case("tie-by-key", "Two watches of the same class: the smaller key by code points wins, so a capital before a small letter.").file("export.xml", [
    step("watch", D % "10:00:00", D % "11:00:00", 100, name="b Apple Watch"), step("watch", D % "10:00:00", D % "11:00:00", 200, name="Z Apple Watch")])
case("names-normal-form", "The same name decomposed, with U+00A0, with U+202F and with blanks around is one source: the later recorded sample wins.").file("export.xml", [
    step("other", D % "10:00:00", D % "11:00:00", 100, name="Zoé Ring", key="apple:Zoé Ring", recorded=D % "11:00:00"),
    step("other", D % "10:00:00", D % "11:00:00", 200, name="Zoe\u0301\u00a0Ring", key="apple:Zoé Ring", recorded=D % "12:00:00"),
    step("other", D % "10:00:00", D % "11:00:00", 300, name="  Zoé\u202fRing\u00a0", key="apple:Zoé Ring", recorded=D % "11:30:00")])
case("names-in-scripts", "Names in any script are sources; the class of nameless devices comes from the name.").file("export.xml", [
    step("other", D % "10:00:00", D % "10:10:00", 1, name="Шагомер"), step("other", D % "10:10:00", D % "10:20:00", 2, name="歩数計"),
    step("phone", D % "10:00:00", D % "10:15:00", 30, name="iPhone de José", device=None),
    step("watch", D % "10:05:00", D % "10:15:00", 50, name="applewatch von Zoë", device=None)])
case("class-by-name", "Without a device: Apple Watch, iPhone, iPad, iPod as words; MyiPhoneApp and iPhones are apps.").file("export.xml", [
    step("phone", D % "10:00:00", D % "11:00:00", 100, name="My IPAD", device=None),
    step("other", D % "10:00:00", D % "12:00:00", 220, name="AMyiPhoneApp", device=None),
    step("other", D % "10:00:00", D % "12:00:00", 230, name="AiPhones", device=""),
    step("watch", D % "10:30:00", D % "11:00:00", 77, name="Z APPLE  WATCH", device=None),
    step("phone", D % "13:00:00", D % "14:00:00", 40, name="ipod", device=None),
    step("other", D % "13:00:00", D % "14:30:00", 90, name="A watch", device=None)])
case("class-by-device", "iPad and iPod touch are phones; a Mac, another maker, a missing software or another version make an app.").file("export.xml", [
    step("phone", D % "10:00:00", D % "11:00:00", 100, name="Z1", sourceVersion="17.1", device="<<HKDevice: 0x1>, name:iPad, manufacturer:Apple Inc., model:iPad, hardware:iPad13,4, software:17.1>"),
    step("phone", D % "11:00:00", D % "12:00:00", 100, name="Z2", sourceVersion="12.5", device="<<HKDevice: 0x2>, name:iPod, manufacturer:Apple Inc., model:iPod touch, software:12.5>"),
    step("other", D % "10:00:00", D % "12:00:00", 999, name="A1", sourceVersion="14.0", device="<<HKDevice: 0x3>, name:Mac, manufacturer:Apple Inc., model:Mac, software:14.0>"),
    step("other", D % "12:00:00", D % "13:00:00", 10, name="A2", sourceVersion="9", device="<<HKDevice: 0x3>, name:Band, manufacturer:Garmin, model:Watch, software:9>"),
    step("other", D % "12:00:00", D % "13:00:00", 20, name="A3", sourceVersion="9", device="<<HKDevice: 0x3>, name:Watch, manufacturer:Apple Inc., model:Watch>"),
    step("other", D % "12:00:00", D % "13:00:00", 30, name="A4 Apple Watch", sourceVersion=None, device=DEVICES["watch"]),
    step("phone", D % "12:30:00", D % "13:00:00", 5, name="Z3", sourceVersion="18.5", device=DEVICES["phone"])])
case("device-odd-fields", "Commas, colons and unknown fields inside the device text; the address differs; the order of the fields too.").file("export.xml", [
    step("watch", D % "10:00:00", D % "11:00:00", 100, name="Z1", sourceVersion="11.5", device="<<HKDevice: 0x9>, name:Ada, the walker: watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,9, localIdentifier:A,B:C, software:11.5, UDI device identifier:00-1, creation date:2025-01-02 08:00:00 +0000>"),
    step("watch", D % "11:00:00", D % "12:00:00", 100, name="Z2", sourceVersion="11.5", device="<<HKDevice: 0xa>, software:11.5, model:Watch, manufacturer:Apple Inc.>"),
    step("other", D % "10:00:00", D % "12:00:00", 999, name="A1", sourceVersion="11.5", device="nonsense"),
    step("other", D % "10:00:00", D % "12:00:00", 998, name="A0 iPhone", sourceVersion="11.5", device="<<HKDevice: 0x1>>")])
case("device-of-2018", "Exports up to 2018 name the maker Apple without Inc.").file("export.xml", [
    step("watch", "2018-06-10 10:00:00 -0400", "2018-06-10 11:00:00 -0400", 100, sourceVersion="5.0.1", device="<<HKDevice: 0x2833968a0>, name:Apple Watch, manufacturer:Apple, model:Watch, hardware:Watch4,2, software:5.0.1>"),
    step("phone", "2018-06-10 10:00:00 -0400", "2018-06-10 11:30:00 -0400", 300)])
case("one-key-two-classes", "A phone between two updates: its software is not its version for a while, so the same key is once a phone and once an app.").file("export.xml", [
    step("phone", D % "10:00:00", D % "11:00:00", 100), step("other", D % "10:00:00", D % "12:00:00", 900, name=NAMES["phone"], sourceVersion="18.4", device=DEVICES["phone"]),
    step("other", D % "10:30:00", D % "12:00:00", 90)])
# --- numbers ----------------------------------------------------------------------------------------------------------
good = [("7", "7"), (" 8 ", "8"), ("+5", "5"), ("1e2", "100"), ("2.5E+1", "25"), ("125e-1", "12.5"), ("007", "7"), ("-0", "0"), ("0.125", "0.125"),
        ("12345.678901234567", "12345.678901234567"), ("1000000", "1000000"), ("\u00a09\u202f", "9"), ("0.00000000000000000000000000000000000001", "1e-38")]
bad = [".5", "5.", "", " ", "1,5", "1 000", "0x10", "NaN", "inf", "-inf", "1e", "e5", "--1", "+-1", "1.2.3", "12steps", "٤٢", "１２", "1e5.5", "0b1", "1_000", "true"]
case("numbers-grammar", "What is a number and what is not, after trimming.").file("export.xml",
    [step("watch", "2025-06-%02d 10:00:00 -0400" % (i + 1), "2025-06-%02d 11:00:00 -0400" % (i + 1), v, number=n) for i, (v, n) in enumerate(good)]
    + [hour("watch", 8, v, reason="bad_number") for v in bad] + [hour("watch", 8, None, reason="bad_number")])
case("numbers-out-of-range", "Negative, absurd and beyond any double.").file("export.xml", [
    hour("watch", 8, "-1", reason="negative"), hour("watch", 8, "-1e400", reason="negative"), hour("watch", 8, "1000000.5", reason="absurd"),
    hour("watch", 8, "1e400", reason="absurd"), hour("watch", 8, "1000001", reason="absurd"), hour("watch", 9, "1e6", number="1000000")])
# --- dates, units, order of the tests --------------------------------------------------------------------------------
def dated(text, sample=None, reason=None):
    if reason: return step("watch", "2025-06-10 08:00:00 -0400", "2025-06-10 09:00:00 -0400", 1, reason=reason, startDate=text, endDate=text, creationDate=None)
    return step("watch", sample, sample, 1, startDate=text, endDate=text, creationDate=None)
case("dates-tolerated", "Single digits, blanks, the compact form, ISO 8601, fractions.").file("export.xml", [
    dated("2025-6-1 8:05:09 -0400", "2025-06-01 08:05:09 -0400"), dated(" 2025-06-02   08:00:00   -0400 ", "2025-06-02 08:00:00 -0400"),
    dated("20250603080000-0400", "2025-06-03 08:00:00 -0400"), dated("2025-06-04T08:00:00-04:00", "2025-06-04 08:00:00 -0400"),
    dated("2025-06-05T12:00:00Z", "2025-06-05 08:00:00 -0400"), dated("2025-06-06 08:00:00.000 -0400", "2025-06-06 08:00:00 -0400"),
    dated("2024-02-29 08:00:00 -0500", "2024-02-29 08:00:00 -0500")])
case("dates-refused", "Impossible, without an offset, in words, with the 12-hour clock, with leap seconds.").file("export.xml", [dated(t, reason="bad_date") for t in [
    "2025-02-29 08:00:00 -0500", "2025-13-01 08:00:00 -0500", "2025-00-10 08:00:00 -0500", "2025-06-00 08:00:00 -0500", "2025-06-31 08:00:00 -0400", "2025-06-10 24:00:00 -0400",
    "2025-06-10 08:60:00 -0400", "2025-06-10 08:00:60 -0400", "2025-06-10 08:00:00", "2025-06-10", "", "yesterday", "10.06.2025 08:00:00 -0400", "06/10/2025 08:00:00 -0400",
    "2025-06-10 8:00:00 am -0400", "2025-06-10 08:00:00 -0460", "2025-06-10 08:00:00 -04000", "2025-06-10 08:00:00 EDT", "25-06-10 08:00:00 -0400", "2025-06-10 08:00 -0400", "20250610080000", "２０２５-06-10 08:00:00 -0400"]])
case("creation-date", "Missing or empty: recorded at its end. Unreadable: bad_date.").file("export.xml", [
    step("watch", D % "10:00:00", D % "11:00:00", 100, recorded=None), step("watch", D % "10:00:00", D % "11:00:00", 200, recorded=""),
    step("watch", D % "10:00:00", D % "11:00:00", 50, recorded=D % "10:59:59"),
    hour("watch", 12, 1, creationDate="soon", reason="bad_date")])
case("attributes-missing", "No unit is the plain count; no source, no date, no value are refused; a record without type is no step record.").file("export.xml", [
    hour("watch", 8, 5, unit=None), hour("watch", 9, 6, unit=""), hour("watch", 10, 7, unit="counts"), hour("watch", 11, 8, unit="step"),
    hour("watch", 8, 5, sourceName=None, reason="no_source"), hour("watch", 8, 5, sourceName=" \u00a0\u202f ", reason="no_source"),
    hour("watch", 8, 5, startDate=None, reason="bad_date"), hour("watch", 8, 5, endDate="", reason="bad_date"),
    Rec(' <Record sourceName="W" unit="count" startDate="2025-06-10 08:00:00 -0400" endDate="2025-06-10 08:10:00 -0400" value="5"/>\n'),
    hour("watch", 8, 5, unit="km", reason="bad_unit"), hour("watch", 8, 5, unit="count/min", reason="bad_unit")])
far = "2027-01-01 00:00:00 +0000"
case("first-failing-test", "Unit, source, value, dates, end before start, too old, future, too long, negative, absurd: the first one is named.").file("export.xml", [
    hour("watch", 8, "x", unit="km", sourceName="", startDate="x", reason="bad_unit"), hour("watch", 8, "x", sourceName="", startDate="x", reason="no_source"),
    hour("watch", 8, "x", startDate="x", reason="bad_number"), hour("watch", 8, "-5", startDate="x", reason="bad_date"),
    step("watch", far, "1999-01-01 00:00:00 +0000", -5, reason="end_before_start"), step("watch", "1999-12-31 23:59:59 +0000", far, -5, reason="too_old"),
    step("watch", "2025-12-20 00:00:00 +0000", far, -5, reason="future"), step("watch", D % "08:00:00", "2025-06-14 08:00:01 -0400", -5, reason="too_long"),
    step("watch", D % "08:00:00", "2025-06-14 08:00:00 -0400", 4000), step("watch", "2000-01-01 00:00:00 +0000", "2000-01-01 00:10:00 +0000", 3)])
case("future-by-minutes", "Ten minutes ahead of receipt are accepted, one second more is not.").file("export.xml", [
    step("watch", "2025-12-31 12:00:00 +0000", "2025-12-31 12:10:00 +0000", 10), step("watch", "2025-12-31 12:00:00 +0000", "2025-12-31 12:10:01 +0000", 10, reason="future"),
    step("phone", "2025-12-31 12:10:01 +0000", "2025-12-31 12:10:01 +0000", 10, reason="future"), step("phone", "2025-12-31 12:10:00 +0000", "2025-12-31 12:10:00 +0000", 5)])
# --- merging in one file ----------------------------------------------------------------------------------------------
case("zero-samples", "Zeros hide nothing and make a day; a zero entry by hand too.").file("export.xml", [
    step("watch", D % "08:00:00", D % "20:00:00", 0), step("phone", D % "09:00:00", D % "10:00:00", 30),
    step("manual", "2025-06-12 08:00:00 -0400", "2025-06-12 08:00:00 -0400", 0), step("watch", "2025-06-13 23:00:00 -0400", "2025-06-14 01:00:00 -0400", 0)])
case("instants", "Zero-length samples count unless a better source covers the moment; two at one moment: the better one.").file("export.xml", [
    step("other", D % "10:00:00", D % "10:00:00", 5), step("watch", D % "10:00:00", D % "11:00:00", 100), step("other", D % "11:00:00", D % "11:00:00", 7),
    step("manual", D % "12:00:00", D % "12:00:00", 50), step("manual", D % "12:00:00", D % "12:00:00", 60, recorded=D % "13:00:00"), step("phone", D % "12:00:00", D % "12:00:00", 9)])
case("copies-with-other-devices", "Copies that differ in nothing but the device's address are one record.").file("export.xml", [
    hour("watch", 8, 340), hour("watch", 8, 340, device=DEVICES["watch"].replace("301a", "9f00")), hour("watch", 9, 10)])
case("correlation-and-workout", "Records in a Correlation are records; a Workout's own elements are not; numbers go on.").file("export.xml", [
    heart(), other(' <Correlation type="X" sourceName="C" startDate="a" endDate="b">\n  <MetadataEntry key="HKWasUserEntered" value="1"/>\n'), hour("phone", 8, 35), hour("phone", 8, "x", reason="bad_number"),
    other(' </Correlation>\n <Workout workoutActivityType="W" duration="1"><WorkoutEvent type="T"/><WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" startDate="a" startDate="b" sum="999"/></Workout>\n'),
    hour("phone", 8, 35), summary("2025-06-10", rings()), heart(), hour("phone", 9, "y", reason="bad_number")])
# --- several files ----------------------------------------------------------------------------------------------------
case("snapshot-with-rings", "The newer export replaces samples and rings of the older one.", want={"weeks": True}).file("a.xml", [
    hour("watch", 8, 700), hour("watch", 9, 50), summary("2025-06-10", rings()), summary("2025-06-11", rings())]).file("b.xml", [
    hour("watch", 8, 700), summary("2025-06-11", rings(move=(100, 400)), activeEnergyBurned="100")])
case("snapshot-truncated-adds", "A newer export that was cut adds, but proves no absence.").file("a.xml", [hour("watch", 8, 700), hour("watch", 9, 50)]).file(
    "b.xml", [hour("watch", 10, 11)], raw=(HEAD + hour("watch", 10, 11).text + ' <Record type="HKQ').encode(), truncated=True)
case("snapshot-refused-changes-nothing", "A refused file leaves what was there.").file("a.xml", [hour("watch", 8, 700)]).file(
    "b.xml", [], raw=b"<html>404</html>", error="not_a_health_export").file("c.zip", [], raw=zipped([("a/export_cda.xml", CDA)]), fmt="apple-zip", error="no_health_data_in_zip")
case("snapshot-empty-export", "An export without records says that there are none.").file("a.xml", [hour("watch", 8, 700)]).file("b.xml", [])
# --- documents --------------------------------------------------------------------------------------------------------
two = [hour("watch", 8, 50), hour("watch", 9, 60)]
body = HEAD + two[0].text + two[1].text
for name, cut in [("in-attribute", body + ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ada'),
                  ("in-metadata", body + step("manual", D % "10:00:00", D % "11:00:00", 5).text.split("  <Meta")[0] + '  <MetadataEntry key="HKWas'),
                  ("before-root-ends", body), ("in-root-end", body + "</HealthDa"), ("in-comment", body + "<!-- </HealthData>"),
                  ("in-cdata", body + "<![CDATA[ </HealthData> ")]:
    case("truncated-" + name, "The file stops " + name.replace("-", " ") + ": the whole records before count.").file("export.xml", two, raw=cut.encode(), truncated=True)
case("truncated-in-utf8", "The file stops inside a character.").file("export.xml", two, raw=body.encode() + ' <Record sourceName="Ada’'.encode()[:-1], truncated=True)
case("truncated-in-dtd", "The file stops inside its document type: no records, but a health export.").file("export.xml", [], raw=HEAD[:120].encode(), truncated=True)
case("empty-file", "Nothing at all is no health export.").file("export.xml", [], raw=b"", error="not_a_health_export")
case("other-xml", "Another document is no health export.").file("export.xml", [], raw=CDA, error="not_a_health_export")
case("utf16", "UTF-16 is refused.").file("export.xml", [], raw=document(two).decode().encode("utf-16"), error="not_a_health_export")
import gzip
case("gzip-is-refused", "A gzip file is neither an export nor a zip.").file("export.xml.gz", [], raw=gzip.compress(document(two), mtime=0), error="not_a_health_export")
case("bom-and-line-ends", "A byte order mark, CRLF line ends, attributes over several lines.").file("export.xml", two,
    raw=b"\xef\xbb\xbf" + document(two).replace(b" creationDate", b"\n\tcreationDate").replace(b"\n", b"\r\n"))
case("junk-after-root", "What follows the root is not read.").file("export.xml", two, raw=document(two) + hour("watch", 12, 999).text.encode() + b"<junk")
case("no-doctype", "A document without a document type.").file("export.xml", two, raw=("<HealthData>" + two[0].text + two[1].text + "</HealthData>").encode())
case("self-closing-root", "A root that is empty.").file("export.xml", [], raw=b"<?xml version='1.0'?><HealthData locale=\"en\"/>")
case("cdata-and-comments", "Records in comments, CDATA and instructions do not exist and have no numbers.").file("export.xml", two,
    raw=(HEAD + "<!-- " + two[0].text + " -- -->" + two[0].text + "<![CDATA[" + two[0].text + "]]><?pi " + two[0].text + "?>" + two[1].text + TAIL).encode())
case("references", "Named and numeric references in names; unknown ones stay; a NUL becomes U+FFFD.").file("export.xml", [
    step("other", D % "10:00:00", D % "11:00:00", 5, name='A & B <"C"> \'D\''),
    Rec(' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="&#65;&#x20;&amp; B &lt;&quot;C&quot;&gt; &apos;D&apos;" unit="count" creationDate="2025-06-10 12:00:00 -0400" startDate="2025-06-10 10:00:00 -0400" endDate="2025-06-10 11:00:00 -0400" value="&#55;"/>\n',
        ref.Sample('apple:A & B <"C"> \'D\'', ref.OTHER, when(D % "10:00:00"), when(D % "11:00:00"), F(7), when(D % "12:00:00"))),
    Rec(' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="&#0;&nbsp;&#xD800;" unit="count" startDate="2025-06-10 12:00:00 -0400" endDate="2025-06-10 13:00:00 -0400" value="9"/>\n',
        ref.Sample("apple:\ufffd&nbsp;\ufffd", ref.OTHER, when(D % "12:00:00"), when(D % "13:00:00"), F(9), when(D % "13:00:00")))])
case("greater-than-in-values", "An unescaped > inside a value does not end the tag, with either kind of quote.").file("export.xml", [
    Rec(hour("watch", 8, 5).text.replace("&gt;", ">"), hour("watch", 8, 5).sample),
    Rec(hour("watch", 9, 6).text.replace("&gt;", ">").replace('"', "'").replace("Ada’s", "Ada’s"), hour("watch", 9, 6).sample),
    Rec(hour("watch", 10, 7).text.replace('unit="count"', 'unit="count" note=">" other=">>" last="/>"'), hour("watch", 10, 7).sample)])
case("apostrophes", "Straight apostrophes in names.").file("export.xml", [
    step("watch", D % "10:00:00", D % "11:00:00", 5, name="Ada's Apple Watch"), step("other", D % "11:00:00", D % "12:00:00", 6, name="x='1' > y")])
case("broken-subsets", "A document type that never closes its declarations: the data counts.").file("export.xml", two,
    raw=document(two).replace(b"  locale CDATA #REQUIRED\n>\n]>\n", b"  locale CDATA #REQUIRED\n<!ELEMENT X (Y]\n<!ATTLIST Z\n"))
case("subset-with-brackets", "Brackets, quotes and comments inside the subset.").file("export.xml", two,
    raw=document(two).replace(b"]>\n<HealthData", b"<!-- ]> <!ENTITY no \"x\"> --><!ATTLIST Q a CDATA \"Ada's ] >\">\n<!NOTATION n SYSTEM '[x'>\n] \n><HealthData"))
case("entity-in-subset", "A declared entity refuses the file, also a parameter entity.").file("export.xml", [], raw=document(two).replace(b"]>\n<HealthData", b"<!ENTITY % x SYSTEM \"http://example.org/x\"> %x;]>\n<HealthData"), error="entity_declaration")
case("external-doctype", "An external document type is never fetched.").file("export.xml", two, raw=("<!DOCTYPE HealthData SYSTEM \"http://example.org/a>b.dtd\">\n<HealthData>" + two[0].text + two[1].text + "</HealthData>").encode())
case("not-utf8", "A name that is no UTF-8 is kept with U+FFFD.").file("export.xml", [
    Rec("", step("other", D % "10:00:00", D % "11:00:00", 5, name="A\ufffd\ufffdB").sample), two[0]],
    raw=(HEAD.encode() + step("other", D % "10:00:00", D % "11:00:00", 5, name="A??B").text.encode().replace(b"??", b"\xff\xfe") + two[0].text.encode() + TAIL.encode()))
case("lost-bracket", "A tag that lost its > ends where the next begins.").file("export.xml", two, raw=document(two).replace(b'value="50"/>', b'value="50"\n', 1))
case("huge-attribute", "A tag longer than any real one is passed over and has no number.").file("export.xml", two,
    raw=(HEAD + two[0].text + ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="' + "x" * 70000 + '" value="1"/>\n' + two[1].text + TAIL).encode())
# --- zips -------------------------------------------------------------------------------------------------------------
gpx = ("apple_health_export/workout-routes/route.gpx", b"<gpx/>")
case("zip-streamed", "Sizes only behind the data, as phones write them.", kind="zip").file("export.zip", two, fmt="apple-zip", raw=zipped([("apple_health_export/Exportación.xml", document(two)), gpx], stream=True))
case("zip-stored", "Entries that are not compressed.", kind="zip").file("export.zip", two, fmt="apple-zip", raw=zipped([gpx, ("apple_health_export/eksport.xml", document(two))], method=zipfile.ZIP_STORED))
case("zip64", "Sizes in zip64 fields.", kind="zip").file("export.zip", two, fmt="apple-zip", raw=zipped([("zip64/export.xml", document(two))], stream=True))
case("zip-names", "Names that are no UTF-8 or lead out of the folder are never looked at.", kind="zip").file("export.zip", two, fmt="apple-zip",
    raw=zipped([("../../etc/passwd", b"root"), ("apple_health_export/QQQQQ.xml", document(two))]).replace(b"QQQQQ", b"\xff\xe9\x80\x00!"))
case("zip-two-exports", "Two health files: the one that unpacks to more is the export.", kind="zip").file("export.zip", two, fmt="apple-zip",
    raw=zipped([("old.xml", document([hour("watch", 8, 1)])), ("apple_health_export/export.xml", document(two))]))
case("zip-cda-mentions", "A document that only mentions the element in a comment is not chosen before the real one.", kind="zip").file("export.zip", two, fmt="apple-zip",
    raw=zipped([("apple_health_export/exportation_cda.xml", b"<ClinicalDocument><!-- <HealthData --><x>" + b"y" * 9000 + b"</x></ClinicalDocument>"), ("apple_health_export/exportation.xml", document(two))]))
case("zip-without-data", "Only the clinical document.", kind="zip").file("export.zip", [], fmt="apple-zip", raw=zipped([("apple_health_export/export_cda.xml", CDA), gpx]), error="no_health_data_in_zip")
case("zip-empty", "No entries at all.", kind="zip").file("export.zip", [], fmt="apple-zip", raw=zipped([]), error="no_health_data_in_zip")
case("zip-in-zip", "A zip inside a zip is not opened.", kind="zip").file("export.zip", [], fmt="apple-zip", raw=zipped([("export.zip", zipped([("export.xml", document(two))]))]), error="no_health_data_in_zip")
import random
rng = random.Random(7)
many = [step("watch", "2025-06-10 08:%02d:%02d -0400" % (i // 60, i % 60), "2025-06-10 08:%02d:%02d -0400" % ((i + 1) // 60, (i + 1) % 60), rng.randint(1, 9)) for i in range(1200)]
whole = zipped([gpx, ("apple_health_export/export.xml", document(many)), ("apple_health_export/export_cda.xml", CDA)])
case("zip-cut-behind-data", "Cut behind the data file: nothing is missing.", kind="zip").file("export.zip", many, fmt="apple-zip", raw=whole[:whole.index(b"export_cda") - 10])
case("zip-cut-before-data", "Cut before the data begins.", kind="zip").file("export.zip", [], fmt="apple-zip", raw=whole[:60], error="no_health_data_in_zip")
import zlib
start = whole.index(b"apple_health_export/export.xml") + len("apple_health_export/export.xml")
cut = whole[:start + (whole.index(b"export_cda") - start) // 2]
got = zlib.decompressobj(-15).decompress(cut[start:]).decode(errors="ignore")
case("zip-cut-in-data", "Cut inside the data file: the whole records before count.", kind="zip").file("export.zip", many[:got.count("/>\n") - 1], fmt="apple-zip", raw=cut, truncated=True)
locked = bytearray(zipped([("apple_health_export/export.xml", document(two))]))
for mark in (b"PK\x03\x04", b"PK\x01\x02"):
    at = locked.index(mark) + (6 if mark[2] == 3 else 8)
    locked[at] |= 1
case("zip-locked", "A zip with a password.", kind="zip").file("export.zip", [], fmt="apple-zip", raw=bytes(locked), error="no_health_data_in_zip")
broken = bytearray(zipped([("apple_health_export/export.xml", document(two))], method=zipfile.ZIP_STORED))
at = broken.index(b'value="60"') + 7
broken[at:at + 2] = b"61"
case("zip-wrong-checksum", "A flipped digit: the checksum does not match, so the file is not taken as whole.", kind="zip").file("export.zip", [two[0], hour("watch", 9, 61)], fmt="apple-zip", raw=bytes(broken), truncated=True)
case("zip-called-xml", "The format in the configuration may be wrong: content decides.", kind="zip").file("export.xml", two, fmt="apple-xml", raw=zipped([("a.xml", document(two))]))
case("zip-behind-junk", "Bytes before the archive.", kind="zip").file("export.zip", two, fmt="apple-zip", raw=b"#!/bin/sh\n" * 40 + zipped([("a.xml", document(two))]))
# --- rings ------------------------------------------------------------------------------------------------------------
case("rings-units", "kJ, cal, J, kcal, missing; other spellings are refused.", kind="rings").file("export.xml", [
    summary("2025-06-09", rings((420, 500)), activeEnergyBurned="1757.28", activeEnergyBurnedGoal="2092", activeEnergyBurnedUnit="kJ"),
    summary("2025-06-10", rings((420, 500)), activeEnergyBurned="420000", activeEnergyBurnedGoal="500000", activeEnergyBurnedUnit="cal"),
    summary("2025-06-11", rings((420, 500)), activeEnergyBurned="1757280", activeEnergyBurnedGoal="2092000", activeEnergyBurnedUnit="J"),
    summary("2025-06-12", rings((420, 500)), activeEnergyBurned="420", activeEnergyBurnedGoal="500", activeEnergyBurnedUnit="kcal"),
    summary("2025-06-13", rings((420, 500)), activeEnergyBurned="420", activeEnergyBurnedGoal="500", activeEnergyBurnedUnit=None),
    summary("2025-06-14", reason="bad_unit", activeEnergyBurnedUnit="KJ"), summary("2025-06-15", reason="bad_unit", activeEnergyBurnedUnit="CAL")])
case("rings-refused", "Unit, then numbers, then the date, then its sense; negative values last.", kind="rings").file("export.xml", [
    summary("x", reason="bad_unit", activeEnergyBurnedUnit="BTU", activeEnergyBurned="y"), summary("x", reason="bad_number", activeEnergyBurned="y"),
    summary("x", reason="bad_date"), summary("2025-02-30", reason="bad_date"), Rec(summary("q").text.replace(' dateComponents="q"', ""), reason="bad_date"),
    summary("1969-12-31", reason="sentinel_date", activeEnergyBurned="-1"), summary("1999-12-31", reason="sentinel_date"), summary("2025-06-10", reason="negative", appleStandHours="-1"),
    summary("2025-06-10", reason="bad_number", appleExerciseTimeGoal="30 min"), summary("2000-01-01", rings())])
case("rings-modes", "The mode as given, else by the goals; older names; both sets of attributes.", kind="rings").file("export.xml", [
    summary("2025-06-09", rings((60, 90), mode="minutes"), activeEnergyBurnedGoal="0", appleMoveTime="60", appleMoveTimeGoal="90"),
    summary("2025-06-10", rings((95, 90), mode="minutes"), activeEnergyBurnedGoal=None, appleMoveMinutes="95", appleMoveMinutesGoal="90"),
    summary("2025-06-11", rings((450, 400)), appleMoveTime="60", appleMoveTimeGoal="90"),
    summary("2025-06-12", rings((60, 90), mode="minutes"), appleMoveTime="60", appleMoveTimeGoal="90", activityMoveMode="2"),
    summary("2025-06-13", rings((450, 0)), activeEnergyBurnedGoal="0", appleMoveTime="60", appleMoveTimeGoal="90", activityMoveMode="1"),
    summary("2025-06-14", rings((450, 400)), appleMoveTime="60", appleMoveTimeGoal="0")])
case("rings-missing", "Rings that were not delivered are null; all zero without a move goal is no data and removes the day.", kind="rings").file("export.xml", [
    summary("2025-06-09", rings(exercise=(None, None), stand=(None, None)), appleExerciseTime=None, appleExerciseTimeGoal=None, appleStandHours=None, appleStandHoursGoal=""),
    summary("2025-06-10", rings()), summary("2025-06-10", None, activeEnergyBurned="0", activeEnergyBurnedGoal="0", appleExerciseTime="0", appleStandHours="0"),
    summary("2025-06-11", rings((0, 500), (0, 30), (0, 12)), activeEnergyBurned="0", activeEnergyBurnedGoal="500", appleExerciseTime="0", appleStandHours="0"),
    summary("2025-06-12", rings((450, None)), activeEnergyBurnedGoal=None)])
case("rings-last-stands", "Of several summaries of a day the last one stands, also in a later file.", kind="rings").file("a.xml", [
    summary("2025-06-10", rings((100, 400)), activeEnergyBurned="100"), summary("2025-06-10", rings((300, 400)), activeEnergyBurned="300")]).file("b.xml", [
    summary("2025-06-10", rings((399.9999999, 400)), activeEnergyBurned="399.9999999")])
days = ["2025-06-%02d" % d for d in range(2, 16)]
case("rings-streak-and-weeks", "Fourteen days, one missed, today open; weeks from Sunday with steps on some days.", kind="rings", week=6, want={"weeks": True, "streakOn": "2025-06-15"}).file("export.xml",
    [summary(d, rings((100, 400) if d in ("2025-06-08", "2025-06-15") else (450, 400), exercise=(10, 30) if d == "2025-06-12" else (30, 30)),
             activeEnergyBurned="100" if d in ("2025-06-08", "2025-06-15") else "450", appleExerciseTime="10" if d == "2025-06-12" else "30") for d in days]
    + [step("watch", "2025-06-%02d 10:00:00 -0400" % d, "2025-06-%02d 11:00:00 -0400" % d, 100 + d) for d in (1, 7, 8, 14, 28)])
case("weeks-saturday", "Weeks from Saturday; half steps are rounded once a day.", kind="week", week=5, want={"weeks": True}).file("export.xml", [
    step("watch", "2025-06-%02d 23:00:00 -0400" % d, "2025-06-%02d 01:00:00 -0400" % (d + 1), 5) for d in range(10, 20, 3)])
case("streak-without-rings", "No rings at all.", kind="rings", want={"streakOn": "2025-06-15"}).file("export.xml", [hour("watch", 8, 5)])

for c in cases:
    c.write()
print(len(cases), "cases")
