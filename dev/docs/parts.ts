import { alertsText } from './alerts.ts';
import { commandsText } from './commands.ts';
import { errorCodesText } from './error-codes.ts';
import { findingsText } from './findings.ts';
import { launchStatesText } from './launch-states.ts';
import { airdropPriceText, earningsText, moneyFactsText, priceText, volumeSharesText } from './money-tables.ts';
import { roundsText } from './rounds.ts';
import { untestedSentencesText } from './untested-sentences.ts';
import { variablesOfApi, variablesOfBoth, variablesOfWorker } from './variables.ts';

export interface GeneratedPart {
  readonly page: string;
  readonly name: string;
  readonly text: () => string;
}

/** Written by `npm run docs`; launch-costs.md by `node bench/launch-costs.ts --write`. */
export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { page: 'configuration.md', name: 'both', text: variablesOfBoth },
  { page: 'configuration.md', name: 'api', text: variablesOfApi },
  { page: 'configuration.md', name: 'worker', text: variablesOfWorker },
  { page: 'build-on-it.md', name: 'error-codes', text: errorCodesText },
  { page: 'compatibility.md', name: 'untested-sentences', text: untestedSentencesText },
  { page: 'costs-and-earnings.md', name: 'volume-shares', text: volumeSharesText },
  { page: 'costs-and-earnings.md', name: 'earnings', text: earningsText },
  { page: 'costs-and-earnings.md', name: 'price', text: priceText },
  { page: 'costs-and-earnings.md', name: 'airdrop-price', text: airdropPriceText },
  { page: 'costs-and-earnings.md', name: 'facts', text: moneyFactsText },
  { page: 'reliability.md', name: 'launch-states', text: launchStatesText },
  { page: 'runbook.md', name: 'commands', text: commandsText },
  { page: 'runbook.md', name: 'alerts', text: alertsText },
  { page: 'runbook-money.md', name: 'findings', text: findingsText },
  { page: 'runbook-money.md', name: 'rounds', text: roundsText },
];
