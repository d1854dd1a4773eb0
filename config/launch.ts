import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

/** How many launches the API takes in. */
export const openLaunchVariables = {
  OPEN_LAUNCHES_PER_WALLET: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 3,
    description: 'Launches of one creator wallet that may be under way unpaid; one more is refused with 429',
  }),
  OPEN_LAUNCHES_PER_ADDRESS: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 20,
    description: 'The same for one client address',
  }),
};

/** How the worker carries launches out, and looks after them. */
export const launchVariables = {
  LAUNCH_JANITOR_EVERY_SECONDS: everySeconds(
    30,
    'How often the worker looks for open launches and airdrops that lack a workflow, and starts it',
  ),
  LAUNCH_WALLETS_EVERY_SECONDS: everySeconds(60, 'How often the wallets of final launches are emptied'),
  LAUNCH_PRICE_TOLERANCE_BPS: Type.Integer({
    minimum: 1,
    maximum: 2_000,
    default: 300,
    description:
      'How far the prices of a launch may have moved between its quote and its signing, in bps; beyond it nothing is signed',
  }),
  UNPAID_FILES_PER_WALLET: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 10,
    description:
      'Launches of one creator wallet whose logo and metadata are stored for ever within 24 hours without being paid; further ones end with `charged: false` before anything is stored',
  }),
  UNPAID_FILES_PER_ADDRESS: Type.Integer({
    minimum: 1,
    maximum: 10_000_000,
    default: 100,
    description: 'The same for one client address',
  }),
};

type LaunchValues = Static<TObject<typeof launchVariables>>;

/** How often the rounds of launches run, and how strictly launches are priced anew. */
export interface LaunchConfig {
  readonly janitorEverySeconds: number;
  readonly walletsEverySeconds: number;
  /** How far prices may have moved between a quote and its signing, bps. */
  readonly priceToleranceBps: number;
  /** How many launches may have their files stored within a day without being paid. */
  readonly unpaidFiles: { readonly perCreator: number; readonly perClient: number };
}

/** The settings of launches, out of validated variables. */
export function launchConfig(values: LaunchValues): LaunchConfig {
  return {
    janitorEverySeconds: values.LAUNCH_JANITOR_EVERY_SECONDS,
    walletsEverySeconds: values.LAUNCH_WALLETS_EVERY_SECONDS,
    priceToleranceBps: values.LAUNCH_PRICE_TOLERANCE_BPS,
    unpaidFiles: { perCreator: values.UNPAID_FILES_PER_WALLET, perClient: values.UNPAID_FILES_PER_ADDRESS },
  };
}
