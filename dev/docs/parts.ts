import { alertsText } from './alerts.ts';
import { commandsText } from './commands.ts';
import { launchStatesText } from './launch-states.ts';
import { roundsText } from './rounds.ts';
import { variablesOfApi, variablesOfBoth, variablesOfWorker } from './variables.ts';

/** A part of a page that follows from code. */
export interface GeneratedPart {
  /** File under docs/. */
  readonly page: string;
  /** Name in the markers around it. */
  readonly name: string;
  readonly text: () => string;
}

/** What `npm run docs` writes. The tables of launch-costs.md are measured instead: `node bench/launch-costs.ts --write`. */
export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { page: 'configuration.md', name: 'both', text: variablesOfBoth },
  { page: 'configuration.md', name: 'api', text: variablesOfApi },
  { page: 'configuration.md', name: 'worker', text: variablesOfWorker },
  { page: 'reliability.md', name: 'launch-states', text: launchStatesText },
  { page: 'runbook.md', name: 'commands', text: commandsText },
  { page: 'runbook.md', name: 'alerts', text: alertsText },
  { page: 'runbook.md', name: 'rounds', text: roundsText },
];
