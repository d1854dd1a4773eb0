import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const marketVariables = {
  MARKET_INDEX_EVERY_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 2_000,
    description: 'Pause between two polls of pools, in ms',
  }),
  YELLOWSTONE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      title: 'an http or https URL',
      description: 'Yellowstone gRPC stream of the market, `https://host:port`; default: none, pools are polled',
    }),
  ),
  YELLOWSTONE_TOKEN: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      title: 'printable text without spaces',
      description: 'Token of YELLOWSTONE_URL, sent as `x-token`',
      writeOnly: true,
    }),
  ),
  GRADUATION_EVERY_SECONDS: everySeconds(60, 'How often tokens graduate and figures without trades are updated'),
  HOLDER_COUNT_EVERY_SECONDS: everySeconds(60, 'How often holders of traded tokens are counted'),
  HOLDER_COUNTS_PER_ROUND: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    default: 20,
    description:
      'Most tokens counted in a round, recently traded first; each is one getProgramAccounts (known reward coin accounts: a call for 99). 0: off',
  }),
};

type MarketValues = Static<TObject<typeof marketVariables>>;

export interface MarketConfig {
  /** Between polls, ms. */
  readonly everyMs: number;
  readonly quietPools: number;
  readonly pushPools: number;
  /** Null: polling. */
  readonly stream: { readonly url: string; readonly token: string | undefined } | null;
  readonly graduationEverySeconds: number;
  readonly holderCountEverySeconds: number;
  readonly holderCounts: number;
}

export function marketConfig(values: MarketValues): MarketConfig {
  const { YELLOWSTONE_URL: url, YELLOWSTONE_TOKEN: token } = values;
  return {
    stream: url === undefined ? null : { url, token },
    everyMs: values.MARKET_INDEX_EVERY_MS,
    quietPools: 450,
    pushPools: 200,
    graduationEverySeconds: values.GRADUATION_EVERY_SECONDS,
    holderCountEverySeconds: values.HOLDER_COUNT_EVERY_SECONDS,
    holderCounts: values.HOLDER_COUNTS_PER_ROUND,
  };
}
