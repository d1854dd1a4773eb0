import { type Command, Option } from 'commander';
import * as claims from '../../../db/claim/claims.ts';
import { CLAIM_STATES, type ClaimState, isClaimSettled } from '../../../domain/claim/state.ts';
import { claimRow } from './report-text.ts';
import { claimSummary } from './summary.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print } from '../../output.ts';

interface ListOptions extends OutputOptions {
  readonly state?: readonly ClaimState[];
  readonly open?: boolean;
  readonly mint?: string;
  readonly limit: number;
}

const EXAMPLES = `
Examples:
  npm run ops -- claims list
  npm run ops -- claims list --open
  npm run ops -- claims list --state killing not_landed --json`;

const OPEN = CLAIM_STATES.filter((state) => state !== 'issued' && !isClaimSettled(state));

export function claimsListCommand(claims: Command, io: OpsIo): void {
  claims
    .command('list')
    .description('show claims, last issued first')
    .addOption(new Option('--state <states...>', 'only claims in these states').choices(CLAIM_STATES).conflicts('open'))
    .option('--open', 'only claims that were submitted and have not come to their end')
    .option('--mint <mint>', 'only claims of this launch')
    .option('--limit <number>', 'show at most so many', parsePositive, 50)
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((options: ListOptions) => list(io, options));
}

function list(io: OpsIo, { state, open, mint, limit, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const intents = await claims.newest(db, { mint, states: open ? OPEN : state }, limit);
    const summaries = intents.map(claimSummary);
    print(io, options, { claims: summaries }, summaries.map(claimRow));
  });
}
