import type { Command } from 'commander';
import * as feeSweeps from '../../../db/fee-sweep/fee-sweeps.ts';
import type { FeeSweep } from '../../../db/fee-sweep/fee-sweeps.ts';
import { DEPOSIT_TAX_SWEEP, SWEEP_PURPOSE } from '../../../domain/fee-sweep/fee-sweep.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print, type Row } from '../../output.ts';

interface ListOptions extends OutputOptions {
  readonly failing?: boolean;
  readonly mint?: string;
  readonly limit: number;
}

const HELP = `
A sweep is planned, then harvested, then done; this shows those that are not done, those tried most first. Number 0 burns the
tax withheld when a reward launch's liquidity was deposited. "purpose" is the movement that is next: what landed of it is in
the table chain_transactions, and on the chain under that memo.

Examples:
  npm run ops -- fee-sweeps list
  npm run ops -- fee-sweeps list --failing --json`;

export function feeSweepsListCommand(fees: Command, io: OpsIo): void {
  fees
    .command('list')
    .description('show open sweeps of fees, those tried most first')
    .option('--failing', 'only those whose last try failed')
    .option('--mint <mint>', 'only those of this token')
    .option('--limit <number>', 'show at most so many', parsePositive, 50)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: ListOptions) => list(io, options));
}

function list(io: OpsIo, { failing, mint, limit, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const open = await feeSweeps.open(db, { mint, failing }, limit);
    const sweeps = open.map(summaryOf);
    print(io, options, { sweeps }, sweeps.map(rowOf));
  });
}

function summaryOf(sweep: FeeSweep) {
  const { mint, number, state, tries, plannedAt, dueAt, problem } = sweep;
  const purpose = SWEEP_PURPOSE[state](sweep);
  const what = number === DEPOSIT_TAX_SWEEP ? 'deposit tax' : 'fees';
  return { mint, number, what, state, purpose, tries, plannedAt, dueAt, problem };
}

function rowOf({ mint, what, state, tries, plannedAt, dueAt, problem }: ReturnType<typeof summaryOf>): Row {
  return { mint, what, state, tries, planned: plannedAt, due: dueAt, problem };
}
