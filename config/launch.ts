import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

export const unpaidLaunchVariables = {
  UNPAID_LAUNCHES_PER_WALLET: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 3,
    description: 'Most unpaid launches of a creator wallet under way; one more gets 429',
  }),
  UNPAID_LAUNCHES_PER_ADDRESS: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 20,
    description: 'Most unpaid launches of a client address (IPv4, or IPv6 /64) under way',
  }),
  UNPAID_LAUNCHES_PER_NETWORK: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 60,
    description: 'Most unpaid launches of an IPv6 /48 under way',
  }),
  UNPAID_LAUNCHES_IN_ALL: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 1_000,
    description:
      'Most unpaid launches under way in all; one network (IPv6 /48 or IPv4 address) gets at most a quarter of what is free',
  }),
};

export const devBuyVariables = {
  DEV_BUY_HOUR_USD: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 5_000,
    description:
      'Most that dev buys take of a pair in an hour, in USD at the day’s highest price; `inventory set --hour` replaces it',
  }),
};

/** Kept for a day; beyond those of a client address the ones over ten minutes old give way, else 429. */
export const LATE_SUBMITS = { perClient: 100, inAll: 20_000 } as const;

export function unpaidLaunchesConfig(values: Static<TObject<typeof unpaidLaunchVariables>>) {
  return {
    perCreator: values.UNPAID_LAUNCHES_PER_WALLET,
    perClient: values.UNPAID_LAUNCHES_PER_ADDRESS,
    perNetwork: values.UNPAID_LAUNCHES_PER_NETWORK,
    inAll: values.UNPAID_LAUNCHES_IN_ALL,
  };
}

export const launchVariables = {
  LAUNCH_JANITOR_EVERY_SECONDS: everySeconds(30, 'How often open launches and airdrops without a workflow get one'),
  LAUNCH_WALLETS_EVERY_SECONDS: everySeconds(60, 'How often wallets of final launches are emptied'),
  UNPAID_FILES_PER_WALLET: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 10,
    description:
      'Unpaid launches of a creator wallet in 24 hours whose files are stored; further ones end with `charged: false`, unstored',
  }),
  UNPAID_FILES_PER_ADDRESS: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 100,
    description: 'UNPAID_FILES_PER_WALLET for a client address',
  }),
  UNPAID_FILES_PER_NETWORK: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 300,
    description: 'UNPAID_FILES_PER_WALLET for an IPv6 /48',
  }),
};

/** A suffix of four letters takes about 58^4 = 11 million tries. */
export const mintSuffixVariables = {
  LAUNCH_MINT_SUFFIX: Type.Optional(
    Type.String({
      pattern: '^[1-9A-HJ-NP-Za-km-z]{1,4}$',
      title: '1 to 4 base58 characters (letters and digits without 0, O, I and l)',
      description:
        'Letters that mint addresses of launches end in, case included; the worker searches them ahead of time. Default: any address',
    }),
  ),
  LAUNCH_MINT_CPU_PERCENT: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 25,
    description: 'Most of one core that each worker spends on the search for LAUNCH_MINT_SUFFIX, at low priority',
  }),
};

type LaunchValues = Static<TObject<typeof launchVariables & typeof mintSuffixVariables>>;

export interface LaunchConfig {
  readonly janitorEverySeconds: number;
  readonly walletsEverySeconds: number;
  /** Between quote and signing, bps. */
  readonly priceToleranceBps: number;
  readonly unpaidFiles: { readonly perCreator: number; readonly perClient: number; readonly perNetwork: number };
  /** Of mint addresses; null: none. */
  readonly mintSuffix: string | null;
  /** Of one core, for the search of mint addresses. */
  readonly mintCpuPercent: number;
}

export function launchConfig(values: LaunchValues): LaunchConfig {
  return {
    janitorEverySeconds: values.LAUNCH_JANITOR_EVERY_SECONDS,
    walletsEverySeconds: values.LAUNCH_WALLETS_EVERY_SECONDS,
    priceToleranceBps: 300,
    unpaidFiles: {
      perCreator: values.UNPAID_FILES_PER_WALLET,
      perClient: values.UNPAID_FILES_PER_ADDRESS,
      perNetwork: values.UNPAID_FILES_PER_NETWORK,
    },
    mintSuffix: values.LAUNCH_MINT_SUFFIX ?? null,
    mintCpuPercent: values.LAUNCH_MINT_CPU_PERCENT,
  };
}
