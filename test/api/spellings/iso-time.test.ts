import { expect, test } from 'vitest';
import { readIsoTime } from '../../../api/schemas/iso-time.ts';

const MIDNIGHT = '2026-11-26T00:00:00.000Z';

test.each([
  // Python: %z, isoformat(), str(datetime).
  ['2026-11-26T00:00:00+0000', MIDNIGHT],
  ['2026-11-26T00:00:00.000000+00:00', MIDNIGHT],
  ['2026-11-26 00:00:00+00:00', MIDNIGHT],
  // Without seconds: HTML forms, moment.js.
  ['2026-11-26T00:00Z', MIDNIGHT],
  ['2026-11-26T02:00+02', MIDNIGHT],
  // Basic format: AWS signatures, iCalendar.
  ['20261126T000000Z', MIDNIGHT],
  ['20261126T0000Z', MIDNIGHT],
  ['20261125T193000-0430', MIDNIGHT],
  ['2026-11-26T000000Z', MIDNIGHT],
  // Fractions with a comma (Java), of nanoseconds (Go), of ten places (.NET has seven).
  ['2026-11-26T00:00:00,123Z', '2026-11-26T00:00:00.123Z'],
  ['2026-11-26T00:00:00.123456789Z', '2026-11-26T00:00:00.123Z'],
  ['2026-11-26T00:00:00.1Z', '2026-11-26T00:00:00.100Z'],
  // Fractions of a minute or an hour (ISO 8601, 5.3.1.4).
  ['2026-11-25T23.5-00:30', MIDNIGHT],
  ['2026-11-26T10,5Z', '2026-11-26T10:30:00.000Z'],
  ['2026-11-26T10:00.5Z', '2026-11-26T10:00:30.000Z'],
  ['20261126T1000,001Z', '2026-11-26T10:00:00.060Z'],
  ['2026-11-25T24.000Z', MIDNIGHT],
  ['2026-11-26T10Z', '2026-11-26T10:00:00.000Z'],
  // Lower case, the end of a day, a minus sign of typographers, a `+` that arrives as a space.
  ['2026-11-26t00:00:00z', MIDNIGHT],
  ['2026-11-25T24:00:00Z', MIDNIGHT],
  ['2026-11-25T22:00:00\u221202:00', MIDNIGHT],
  ['2026-11-26T02:00:00 02:00', MIDNIGHT],
  ['2026-11-26T02:00:00 0200', MIDNIGHT],
  ['2026-11-26 00:00:00 +0000', MIDNIGHT],
  // Days of the year and of weeks.
  ['2026-330T00:00:00Z', MIDNIGHT],
  ['2026330T000000Z', MIDNIGHT],
  ['2026-W48-4T00:00:00Z', MIDNIGHT],
  ['2026W484T000000Z', MIDNIGHT],
  ['2021-W01-1T00:00:00Z', '2021-01-04T00:00:00.000Z'],
  ['2020-W53-5T00:00:00Z', '2021-01-01T00:00:00.000Z'],
  // Go's time.Time without a value.
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['2024-02-29T23:59:59+14:00', '2024-02-29T09:59:59.000Z'],
  // Jackson's default, Java's ZonedDateTime, Temporal.ZonedDateTime (RFC 9557), Ruby's Time#to_s, Go's Time.String.
  ['2026-11-26T00:00:00.000+0000', MIDNIGHT],
  ['2026-11-26T00:00:00Z[UTC]', MIDNIGHT],
  ['2026-11-25T16:00:00-08:00[America/Los_Angeles]', MIDNIGHT],
  ['2026-11-26T00:00:00+00:00[UTC][u-ca=iso8601]', MIDNIGHT],
  ['2026-11-26 00:00:00 UTC', MIDNIGHT],
  ['2026-11-26 00:00:00 +0000 UTC', MIDNIGHT],
  ['2026-11-26T00:00:00-00:00', MIDNIGHT],
])('%s is %s', (text, iso) => {
  expect(readIsoTime(text)).toEqual({ iso });
});

test.each([
  ['2026-11-26T00:00:00', /^has no time zone; add Z/],
  ['20261126T000000', /^has no time zone; add Z/],
  ['2026-11-26 00:00', /^has no time zone; add Z/],
  ['2026-11-26', /^has no time of day and no time zone/],
  ['20261126', /^has no time of day and no time zone/],
  ['1795651200', /^is a bare number, in seconds or milliseconds/],
  ['1795651200000', /^is a bare number, in seconds or milliseconds/],
  ['2026-11-26T00:00:00 CET', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00[Europe/Berlin]', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00Z[!u-ca=hebrew]', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00 EST', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00+25:00', /^is not a time that exists/],
  ['2026-02-30T00:00:00Z', /^is not a time that exists/],
  ['2025-02-29T00:00:00Z', /^is not a time that exists/],
  ['2026-366T00:00:00Z', /^is not a time that exists/],
  ['2026-11-26T10.30Z', /^has a fraction of an hour that can also be read as minutes; write/],
  ['2026-11-26T10,25Z', /^has a fraction of an hour/],
  ['20261126T10.305+02:00', /^has a fraction of an hour/],
  ['2026-11-26T24.5Z', /^is not a time that exists/],
  ['2026-11-26T24:00:01Z', /^is not a time that exists/],
  ['2026-11-26T12:60:00Z', /^is not a time that exists/],
  ['2016-12-31T23:59:60Z', /^is not a time that exists/],
  ['0000-01-01T00:00:00+02:00', /^is not a time that exists/],
  ['26/11/2026 00:00 Z', /^must be an ISO 8601 time with its zone/],
  ['11-26-2026T00:00:00Z', /^must be an ISO 8601 time with its zone/],
  ['2026-13-01T00:00:00Z', /^is not a time that exists/],
  ['2026-11-26T00:00:00.Z', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00+2', /^has no time zone that can be read/],
  ['2026-11-26T00:00:00\u00a0Z', /^has no time zone that can be read/],
  ['2026-11-26T00%3A00%3A00Z', /^(must be an ISO 8601 time with its zone|has no time zone that can be read)/],
  ['+002026-11-26T00:00:00Z', /^must be an ISO 8601 time with its zone/],
  ['2026-W48', /^must be an ISO 8601 time with its zone/],
  ['"2026-11-26T00:00:00Z"', /^must be an ISO 8601 time with its zone/],
  ['yesterday', /^must be an ISO 8601 time with its zone/],
  ['', /^must be an ISO 8601 time with its zone/],
  ['2026-11-26T00:00:00Z/P1D', /^has no time zone that can be read/],
])('%j is refused: %s', (text, problem) => {
  const reading = readIsoTime(text);
  expect('problem' in reading && reading.problem).toMatch(problem);
});
