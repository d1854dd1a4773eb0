import Type, { type Static, type TObject } from 'typebox';

/** How the worker keeps the market's swaps and figures. */
export const marketVariables = {
  MARKET_INDEX_EVERY_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 2_000,
    description: 'Pause between two looks at all pools, in ms',
  }),
  MARKET_PUSH_POOLS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 200,
    description:
      'Pools, those that traded last first, whose changes are heard over the websocket and looked at at once; each is a subscription at the provider. 0 turns it off: trades then show at the next look',
  }),
  HOLDER_COUNTS_PER_MINUTE: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    default: 20,
    description:
      'Most tokens whose holders are counted in a minute, those that traded since first; each is one getProgramAccounts. 0 turns it off: `holders` then stays as it is',
  }),
};

type MarketValues = Static<TObject<typeof marketVariables>>;

/** Settings of the index of the market. */
export interface MarketConfig {
  /** Pause between two looks at all pools, ms. */
  readonly everyMs: number;
  /** Most pools that are listened to over the websocket. */
  readonly pushPools: number;
  /** Most tokens whose holders are counted in a round, one a minute. */
  readonly holderCounts: number;
}

/** The market's settings, out of validated variables. */
export function marketConfig(values: MarketValues): MarketConfig {
  return {
    everyMs: values.MARKET_INDEX_EVERY_MS,
    pushPools: values.MARKET_PUSH_POOLS,
    holderCounts: values.HOLDER_COUNTS_PER_MINUTE,
  };
}
