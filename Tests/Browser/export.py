"""An Apple Health export of six weeks that ends on the fixed clock's day: phone and watch overlap, one day is missing, one ring stays open."""
import random, zipfile
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = "Europe/Berlin"
NOW = "2026-11-26T15:42:00Z"
TODAY = date(2026, 11, 26)
MISSING = date(2026, 11, 11)
WATCH = ('sourceName="Ada’s Apple\u00a0Watch" sourceVersion="11.5" device="&lt;&lt;HKDevice: 0x301a&gt;, name:Apple Watch, '
         'manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.5&gt;"')
PHONE = ('sourceName="Ada’s iPhone" sourceVersion="18.5" device="&lt;&lt;HKDevice: 0x301b&gt;, name:iPhone, '
         'manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:18.5&gt;"')


def stamp(t):
    return t.strftime("%Y-%m-%d %H:%M:%S %z")


def xml(days=42, seed=7):
    rng, zone, out = random.Random(seed), ZoneInfo(ZONE), []
    out.append('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!-- HealthKit Export Version: 14 -->\n]>\n'
               '<HealthData locale="en_DE">\n <ExportDate value="2026-11-26 16:40:00 +0100"/>\n')
    for back in range(days, -1, -1):
        day = TODAY - timedelta(days=back)
        if day == MISSING:
            continue
        for hour in range(7, 16 if day == TODAY else 22):
            for source in (WATCH, PHONE):
                if source is PHONE and rng.random() < .3:
                    continue
                a = datetime(day.year, day.month, day.day, hour, rng.randrange(0, 30), rng.randrange(60), tzinfo=zone)
                b = a + timedelta(seconds=rng.randrange(60, 1500))
                out.append(f' <Record type="HKQuantityTypeIdentifierStepCount" {source} unit="count" creationDate="{stamp(b)}" '
                           f'startDate="{stamp(a)}" endDate="{stamp(b)}" value="{rng.randrange(20, 1600)}"/>\n')
    out.append(f' <Record type="HKQuantityTypeIdentifierStepCount" {PHONE} unit="km" creationDate="2026-11-20 10:00:00 +0100" '
               'startDate="2026-11-20 09:00:00 +0100" endDate="2026-11-20 09:10:00 +0100" value="12"/>\n')
    for back in range(days, -1, -1):
        day = TODAY - timedelta(days=back)
        if day != MISSING:
            move = 420 if back == 12 else rng.randrange(500, 900)
            out.append(f' <ActivitySummary dateComponents="{day}" activeEnergyBurned="{move}.5" activeEnergyBurnedGoal="500" '
                       f'activeEnergyBurnedUnit="kcal" appleMoveTime="0" appleMoveTimeGoal="0" appleExerciseTime="{rng.randrange(10, 80)}" '
                       f'appleExerciseTimeGoal="30" appleStandHours="{rng.randrange(6, 16)}" appleStandHoursGoal="12"/>\n')
    out.append("</HealthData>\n")
    return "".join(out)


def write(path, days=42):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("apple_health_export/export.xml", xml(days))
        z.writestr("apple_health_export/export_cda.xml", "<?xml version='1.0'?><ClinicalDocument/>")
