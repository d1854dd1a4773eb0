import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** When a token is about to graduate, to the API and the worker; when it has: domain/market/graduation.ts. */
export const graduationVariables = {
  ABOUT_TO_GRADUATE_BPS: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 8_000,
    description: 'Share of the graduation cap from which a token is about to graduate, in bps',
  }),
};

/** How the worker keeps the market's swaps and figures. */
export const marketVariables = {
  MARKET_INDEX_EVERY_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 2_000,
    description: 'Pause between two looks at pools, in ms',
  }),
  MARKET_QUIET_POOLS: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 450,
    description:
      'Pools without a trade for an hour that a look takes in, in turn: where there are more, a trade in one of them shows when its turn comes, or when it was heard of. Each hundred is a call',
  }),
  MARKET_PUSH_POOLS: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    default: 200,
    description:
      'Pools, those that traded last first, whose changes are heard over the websocket and looked at at once; each is a subscription at the provider. 0 turns it off: trades then show at the next look',
  }),
  YELLOWSTONE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      title: 'an http or https URL',
      description:
        'Stream by Yellowstone’s gRPC protocol that the market is followed by, `https://host:port`. Default: none, and pools are looked at every `MARKET_INDEX_EVERY_MS`',
    }),
  ),
  YELLOWSTONE_TOKEN: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      title: 'printable text without spaces',
      description: 'Token of that stream, sent as `x-token`',
      writeOnly: true,
    }),
  ),
  GRADUATION_EVERY_SECONDS: everySeconds(
    60,
    'How often tokens graduate, and figures that change without a trade are brought up to date',
  ),
  HOLDER_COUNT_EVERY_SECONDS: everySeconds(60, 'How often holders are counted of tokens that traded'),
  HOLDER_COUNTS_PER_ROUND: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    default: 20,
    description:
      'Most tokens whose holders are counted in a round, those that traded since first; each is one getProgramAccounts, or one call for 99 accounts of a reward coin where they are known. 0 turns it off: `holders` then stays as it is',
  }),
};

type MarketValues = Static<TObject<typeof marketVariables>>;

/** Settings of the index of the market. */
export interface MarketConfig {
  /** Pause between two looks at pools, ms. */
  readonly everyMs: number;
  /** Quiet pools that a look takes in. */
  readonly quietPools: number;
  /** Most pools that are listened to over the websocket. */
  readonly pushPools: number;
  /** The stream that trades are heard by; null: pools are looked at. */
  readonly stream: { readonly url: string; readonly token: string | undefined } | null;
  readonly graduationEverySeconds: number;
  readonly holderCountEverySeconds: number;
  /** Most tokens whose holders are counted in a round. */
  readonly holderCounts: number;
}

/** The market's settings, out of validated variables. */
export function marketConfig(values: MarketValues): MarketConfig {
  const { YELLOWSTONE_URL: url, YELLOWSTONE_TOKEN: token } = values;
  return {
    stream: url === undefined ? null : { url, token },
    everyMs: values.MARKET_INDEX_EVERY_MS,
    quietPools: values.MARKET_QUIET_POOLS,
    pushPools: values.MARKET_PUSH_POOLS,
    graduationEverySeconds: values.GRADUATION_EVERY_SECONDS,
    holderCountEverySeconds: values.HOLDER_COUNT_EVERY_SECONDS,
    holderCounts: values.HOLDER_COUNTS_PER_ROUND,
  };
}
