/** A promise was kept; or it was not, and the asker was told so; or neither, for longer than it may take. */
export const PROMISE_OUTCOMES = ['kept', 'refused', 'unknown'] as const;
export type PromiseOutcome = (typeof PROMISE_OUTCOMES)[number];

/** Those that were asked for within the window, and older ones that are still open. */
export interface PromiseCounts extends Readonly<Record<PromiseOutcome, number>> {
  /** It counts those that are under way and not late, too. */
  readonly asked: number;
}

interface PromiseRule {
  /** Counted from the rows of the database, the files of the store, or the responses of an API. */
  readonly countedIn: 'database' | 'store' | 'responses';
  /** Length of the window that is counted, in minutes. */
  readonly windowMinutes: number;
  /** Age from which an open one is `unknown`, in seconds from the request; none where a response ends it. */
  readonly patienceSeconds?: number;
}

/**
 * Every promise of the platform. The database's are counted in `db/platform/promise-counts.ts`, the others in
 * `api/metrics/promise-meter.ts`. A request that breaks a rule of the API (4xx), and one to a feature that is switched
 * off, asks for nothing.
 */
export const PROMISES = {
  // A bundle lands or is proven dead about 90 seconds after its quote.
  launch: { countedIn: 'database', windowMinutes: 15, patienceSeconds: 120 },
  // It is relayed for a minute, then its nonce is advanced.
  claim: { countedIn: 'database', windowMinutes: 15, patienceSeconds: 150 },
  airdrop: { countedIn: 'database', windowMinutes: 120, patienceSeconds: 1_800 },
  reward: { countedIn: 'database', windowMinutes: 240, patienceSeconds: 8_100 },
  'fee-sweep': { countedIn: 'database', windowMinutes: 360, patienceSeconds: 10_800 },
  buyback: { countedIn: 'database', windowMinutes: 1_440, patienceSeconds: 7_200 },
  restock: { countedIn: 'database', windowMinutes: 240, patienceSeconds: 1_800 },
  webhook: { countedIn: 'database', windowMinutes: 15, patienceSeconds: 900 },
  // Files of launches that the store must still have.
  file: { countedIn: 'store', windowMinutes: 15 },
  prepare: { countedIn: 'responses', windowMinutes: 5 },
  submit: { countedIn: 'responses', windowMinutes: 5 },
  'claim-request': { countedIn: 'responses', windowMinutes: 5 },
  read: { countedIn: 'responses', windowMinutes: 5 },
} as const satisfies Record<string, PromiseRule>;

export type PromiseClass = keyof typeof PROMISES;

type ClassIn<Place extends PromiseRule['countedIn']> = {
  [Class in PromiseClass]: (typeof PROMISES)[Class]['countedIn'] extends Place ? Class : never;
}[PromiseClass];

export type DatabasePromise = ClassIn<'database'>;
export type ResponsePromise = ClassIn<'responses'>;

/** One figure of a class. */
export interface PromiseReading {
  readonly labels: { readonly class: PromiseClass; readonly outcome: keyof PromiseCounts };
  readonly value: number;
}

/** Returns a reading for each class and outcome. */
export function readingsOf(counts: readonly (readonly [PromiseClass, PromiseCounts])[]): PromiseReading[] {
  return counts.flatMap(([name, of]) =>
    (['asked', ...PROMISE_OUTCOMES] as const).map((outcome) => ({
      labels: { class: name, outcome },
      value: of[outcome],
    })),
  );
}

/** Returns the count of each outcome. */
export function outcomesBy(countOf: (outcome: PromiseOutcome) => number): Readonly<Record<PromiseOutcome, number>> {
  return { kept: countOf('kept'), refused: countOf('refused'), unknown: countOf('unknown') };
}
