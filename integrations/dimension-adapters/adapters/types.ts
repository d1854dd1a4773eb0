/** The part of the aggregator's own file that the adapter uses; not submitted. */

export interface Balances {
  add(token: string, amount: bigint, label: string): void;
}

export interface FetchOptions {
  readonly createBalances: () => Balances;
  /** Unix seconds; the end is not included. */
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}

type Texts = Readonly<Record<string, string>>;

export interface SimpleAdapter {
  readonly version: 1 | 2;
  readonly pullHourly: boolean;
  readonly doublecounted: boolean;
  readonly fetch: (options: FetchOptions) => Promise<Readonly<Record<string, Balances>>>;
  readonly chains: readonly string[];
  readonly start: string;
  readonly methodology: Texts;
  readonly breakdownMethodology: Readonly<Record<string, Texts>>;
}
