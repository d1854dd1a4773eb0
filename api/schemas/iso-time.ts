import Type, { type TRefine, type TSchema } from 'typebox';

/** UTC with ms, or the text's problem. */
export type IsoReading = { readonly iso: string } | { readonly problem: string };

/** 2026-11-26, 20261126, 2026-330 (day of the year), 2026-W48-4 (day of the week); then the rest. */
const DATE = /^(\d{4})(?:-?(\d{2})-?(\d{2})|-?(\d{3})|-?W(\d{2})-?([1-7]))(?![\d-])(.*)$/su;

/** T00:00, T000000.5, T10.5 (half past ten), a space for T; then the rest. */
const TIME = /^[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d+))?(.*)$/su;

/** Z, UTC, +02:00, -0230, +02; an unencoded `+` in a URL arrives as a space. */
const ZONE = /^(?: ?([Zz]|UTC|GMT)| ?([-+\u2212])(\d{2})(?::?(\d{2}))?(?:(?<=[-+]00:?00) UTC)?| (\d{2}):?(\d{2}))$/u;

/** Zone and calendar names (RFC 9557), without those that a reader must understand (`!`). */
const ANNOTATIONS = /(?:\[[A-Za-z_][\w./+=-]*\])+$/u;

const EXAMPLE = '2026-11-26T00:00:00Z';
const NO_TIME = `must be an ISO 8601 time with its zone, such as ${EXAMPLE}`;
const DAY_MS = 86_400_000;

/**
 * Reads extended or basic forms, with or without seconds. It refuses ambiguous ones: without a zone, a date alone, a
 * bare number, and T10.30, which is 10:18 by ISO 8601 and 10:30 to many.
 */
export function readIsoTime(text: string): IsoReading {
  if (/^\d+(\.\d+)?$/.test(text) && text.length !== 8) {
    return { problem: `is a bare number, in seconds or milliseconds; write the time as ${EXAMPLE}` };
  }
  const date = DATE.exec(text);
  const day = date && dayOf(date);
  if (!date || day === null) return { problem: NO_TIME };
  const afterDate = date[7] ?? '';
  if (afterDate === '') return { problem: `has no time of day and no time zone; write it as ${EXAMPLE}` };
  const time = TIME.exec(afterDate);
  if (!time) return { problem: NO_TIME };
  if (isDoubtful(time)) {
    return { problem: 'has a fraction of an hour that can also be read as minutes; write hours and minutes as T10:30' };
  }
  const afterTime = time[5] ?? '';
  if (afterTime === '') return { problem: 'has no time zone; add Z for UTC, or an offset such as +02:00' };
  const zone = ZONE.exec(afterTime.replace(ANNOTATIONS, ''));
  if (!zone)
    return { problem: 'has no time zone that can be read; end it with Z for UTC, or an offset such as +02:00' };
  const iso = instantOf(day, time, zone);
  return iso === null ? { problem: 'is not a time that exists' } : { iso };
}

/** A fraction of hours with several digits. One digit, or zeros alone, has one reading. */
function isDoubtful([, , minute, , fraction = '']: RegExpExecArray): boolean {
  return minute === undefined && fraction.length > 1 && !/^0+$/.test(fraction);
}

/** Returns ms; null without a date, NaN for one that does not exist. */
function dayOf([, year = '', month, monthDay, yearDay, week, weekDay]: RegExpExecArray): number | null {
  const first = Date.parse(`${year}-01-01T00:00:00Z`);
  if (month !== undefined) return existing(`${year}-${month}-${monthDay}`);
  if (yearDay !== undefined) return within(first + (Number(yearDay) - 1) * DAY_MS, year);
  if (week === undefined) return null;
  // Week 1 has the first Thursday, hence 4 January.
  const fourth = new Date(first + 3 * DAY_MS);
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  const isWeek = Number(week) >= 1 && Number(week) <= 53;
  return isWeek ? monday + ((Number(week) - 1) * 7 + Number(weekDay) - 1) * DAY_MS : Number.NaN;
}

function existing(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date) ? ms : Number.NaN;
}

function within(ms: number, year: string): number {
  return new Date(ms).toISOString().startsWith(year) ? ms : Number.NaN;
}

function instantOf(day: number, time: RegExpExecArray, zone: RegExpExecArray): string | null {
  const [, hour = '0', minute = '0', second = '0'] = time;
  const offset = offsetMinutes(zone);
  const isMidnight = Number(hour) === 24 && Number(minute) === 0 && Number(second) === 0 && fractionMs(time) === 0;
  const isTime = (Number(hour) <= 23 || isMidnight) && Number(minute) <= 59 && Number(second) <= 59;
  if (!isTime || offset === null || Number.isNaN(day)) return null;
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  const at = new Date(day + minutes * 60_000 + Number(second) * 1_000 + fractionMs(time));
  const iso = at.toISOString();
  // Outside of 0000 to 9999 the text has a sign, which other parsers reject.
  return iso.length === EXAMPLE.length + 4 ? iso : null;
}

/** A fraction is of the last part that is written: hours, minutes or seconds. Whole ms; the rest is dropped. */
function fractionMs([, , minute, second, fraction = '']: RegExpExecArray): number {
  const ofMs = second !== undefined ? 1_000 : minute !== undefined ? 60_000 : 3_600_000;
  return Math.floor((Number(fraction.slice(0, 9).padEnd(9, '0')) * ofMs) / 1e9);
}

/** Minutes east of UTC; null for an impossible offset. */
function offsetMinutes([, utc, sign, hours, minutes, bareHours, bareMinutes]: RegExpExecArray): number | null {
  if (utc !== undefined) return 0;
  const [h, m] = [Number(hours ?? bareHours ?? 0), Number(minutes ?? bareMinutes ?? 0)];
  if (h > 23 || m > 59) return null;
  return (sign === undefined || sign === '+' ? 1 : -1) * (h * 60 + m);
}

/** Describes texts that are no UTC time with ms. */
export function timeCheck(): TRefine<TSchema> {
  const problemOf = (value: unknown): string | undefined => {
    const reading: IsoReading = typeof value === 'string' ? readIsoTime(value.trim()) : { problem: NO_TIME };
    return 'iso' in reading ? undefined : reading.problem;
  };
  return Type.Refine(
    Type.Unknown(),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? '',
  );
}
