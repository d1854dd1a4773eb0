import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { countsInWords } from '../counts.ts';

const Counts = Type.Record(Type.String(), Type.Integer());

const ReportSchema = Type.Object({
  seed: Type.Integer(),
  seconds: Type.Number(),
  /** Launches that were followed to their end while everybody played, as so many an hour. */
  launchesAnHour: Type.Integer(),
  /** How often everybody did what they do. */
  did: Counts,
  /** How often somebody could not, and why; they tried again. */
  failed: Counts,
  /** HTTP answers by status. */
  answers: Counts,
  /** How often each fault struck. */
  struck: Counts,
  /** Tokens launched with odd quote tokens, by symbol. */
  oddPairs: Counts,
  /** Wishes that no launch can fulfil, by how often prepare said why. */
  refused: Counts,
  /** Launches by how the chain says they ended. */
  launches: Counts,
  /** Launches of those who take the money away or come too late, by what they were told. */
  adversaries: Counts,
  /** What an operator closed, or was refused to close. */
  closed: Counts,
  /** How often the price of a quote token was moved, by how much. */
  moved: Counts,
  /** Restocks by their ends. */
  restocks: Counts,
  markets: Type.Integer(),
  claims: Counts,
  /** Booked amounts that were compared with the chain. */
  bookings: Type.Integer(),
  /** Movements that the lanes have on the chain. */
  movements: Type.Integer(),
  /** Events that all readers handled. */
  eventsHandled: Type.Integer(),
  /** How often readers of events were cut off, by tap. */
  cuts: Counts,
  /** Things that the verifier looked at, by kind. */
  verified: Counts,
  /** Checks of it that were not provable, by kind and name. */
  unproven: Counts,
  /** Broken promises; empty when all held. */
  problems: Type.Array(Type.String()),
});

/** What came of a mixed campaign. */
export type MixedReport = Static<typeof ReportSchema>;

/** The report of a campaign that came to its end; undefined where it did not. */
export function readMixedReport(text: string): MixedReport | undefined {
  const line = text.trim();
  return line === '' ? undefined : Value.Parse(ReportSchema, JSON.parse(line));
}

/** The report for people. */
export function textOf(report: MixedReport): string {
  const { seed, seconds, did, failed, answers, struck, launches, markets, claims, bookings, movements, problems } =
    report;
  const {
    oddPairs,
    refused,
    launchesAnHour,
    adversaries,
    closed,
    moved,
    restocks,
    eventsHandled,
    cuts,
    verified,
    unproven,
  } = report;
  return [
    `seed ${seed}, ${seconds} s: ${inWords(did)}`,
    `struck: ${inWords(struck)}; answers: ${inWords(answers)}`,
    `launched with odd quote tokens: ${inWords(oddPairs)}; refused: ${inWords(refused)}`,
    `launches: ${inWords(launches)} (${launchesAnHour} an hour); ${markets} markets; claims: ${inWords(claims)}`,
    `strangers' launches: ${inWords(adversaries)}; operator: ${inWords(closed)}`,
    `a quote token's price moved: ${inWords(moved)}; restocks: ${inWords(restocks)}`,
    `compared with the chain: ${bookings} booked amounts, ${movements} movements`,
    `events handled by all readers: ${eventsHandled}; cut off: ${inWords(cuts)}`,
    `verified: ${inWords(verified)}; not provable: ${inWords(unproven)}`,
    `tried again: ${inWords(failed)}`,
    ...(problems.length === 0 ? ['nothing was broken'] : problems),
  ].join('\n');
}

function inWords(counts: Static<typeof Counts>): string {
  return countsInWords(counts) || 'nothing';
}
