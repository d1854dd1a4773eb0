import type { LaunchMode } from '../token-facts.ts';

/** Constant facts of a launched token. */
export interface EventToken {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly pool: string;
  readonly mode: LaunchMode;
  readonly quoteMint: string;
  readonly quoteSymbol: string;
}

export interface EventMints {
  /** Hidden and withdrawn ones too: their events stay. */
  readonly tokens: ReadonlyMap<string, EventToken>;
  readonly pairs: ReadonlyMap<string, number>;
}
