import Type, { type Static, type TObject } from 'typebox';
import { everySeconds } from './every-seconds.ts';

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
};

type LaunchValues = Static<TObject<typeof launchVariables>>;

/** How often the rounds of launches run, and how strictly launches are priced anew. */
export interface LaunchConfig {
  readonly janitorEverySeconds: number;
  readonly walletsEverySeconds: number;
  /** How far prices may have moved between a quote and its signing, bps. */
  readonly priceToleranceBps: number;
}

/** The settings of launches, out of validated variables. */
export function launchConfig(values: LaunchValues): LaunchConfig {
  return {
    janitorEverySeconds: values.LAUNCH_JANITOR_EVERY_SECONDS,
    walletsEverySeconds: values.LAUNCH_WALLETS_EVERY_SECONDS,
    priceToleranceBps: values.LAUNCH_PRICE_TOLERANCE_BPS,
  };
}
