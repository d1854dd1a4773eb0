import type { Static, TObject } from 'typebox';
import { everySeconds } from './cadence.ts';

/** How the worker looks after launches. */
export const launchVariables = {
  LAUNCH_JANITOR_EVERY_SECONDS: everySeconds(
    30,
    'How often the worker looks for open launches and airdrops that lack a workflow, and starts it',
  ),
  LAUNCH_WALLETS_EVERY_SECONDS: everySeconds(60, 'How often the wallets of final launches are emptied'),
};

type LaunchValues = Static<TObject<typeof launchVariables>>;

/** How often the rounds of launches run. */
export interface LaunchConfig {
  readonly janitorEverySeconds: number;
  readonly walletsEverySeconds: number;
}

/** The settings of launches, out of validated variables. */
export function launchConfig(values: LaunchValues): LaunchConfig {
  return {
    janitorEverySeconds: values.LAUNCH_JANITOR_EVERY_SECONDS,
    walletsEverySeconds: values.LAUNCH_WALLETS_EVERY_SECONDS,
  };
}
