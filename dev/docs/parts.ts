import { alertsText } from './alerts.ts';
import { commandsText } from './commands.ts';
import { errorCodesText } from './error-codes.ts';
import { eventTypesText } from './event-types.ts';
import { findingsText } from './findings.ts';
import { launchFieldsText } from './launch-fields.ts';
import { launchStatesText } from './launch-states.ts';
import { lineStagesText } from './line-stages.ts';
import { leftOutReasonsText } from './left-out-reasons.ts';
import { airdropPriceText, earningsText, moneyFactsText, priceText, volumeSharesText } from './money-tables.ts';
import { promisedFiguresText } from './promised-figures.ts';
import { promisesText } from './promises-table.ts';
import { roundsText } from './rounds.ts';
import { untestedSentencesText } from './untested-sentences.ts';
import { checksText, statementChecksText } from './verify-checks-table.ts';
import { variablesOfApi, variablesOfBoth, variablesOfWorker } from './variables.ts';
import { walletsText } from './wallets.ts';

export interface GeneratedPart {
  readonly page: string;
  readonly name: string;
  readonly text: () => string;
}

/** Written by `npm run docs`; launch-costs.md by `node bench/launch-costs.ts --write`. */
export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { page: 'architecture.md', name: 'line', text: lineStagesText },
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
  { page: 'events.md', name: 'event-types', text: eventTypesText },
  { page: 'get-paid.md', name: 'left-out-reasons', text: leftOutReasonsText },
  { page: 'launch-a-token.md', name: 'launch-fields', text: launchFieldsText },
  { page: 'launch-a-token.md', name: 'wallets', text: walletsText },
  { page: 'reliability.md', name: 'promises', text: promisesText },
  { page: 'reliability.md', name: 'launch-states', text: launchStatesText },
  { page: 'runbook.md', name: 'commands', text: commandsText },
  { page: 'runbook.md', name: 'alerts', text: alertsText },
  { page: 'runbook-money.md', name: 'findings', text: findingsText },
  { page: 'runbook-money.md', name: 'rounds', text: roundsText },
  { page: 'scale.md', name: 'promised', text: promisedFiguresText },
  { page: 'verify-checks.md', name: 'checks-of-round', text: () => checksText('round') },
  { page: 'verify-checks.md', name: 'checks-of-launch', text: () => checksText('launch') },
  { page: 'verify-checks.md', name: 'checks-of-airdrop', text: () => checksText('airdrop') },
  { page: 'verify-checks.md', name: 'checks-of-receipt', text: () => checksText('receipt') },
  { page: 'verify-checks.md', name: 'checks-of-claim', text: () => checksText('claim') },
  { page: 'verify-checks.md', name: 'checks-of-wallets', text: () => checksText('wallets') },
  { page: 'verify-checks.md', name: 'checks-of-statements', text: statementChecksText },
];
