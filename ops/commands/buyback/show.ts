import type { Command } from 'commander';
import * as buybackRounds from '../../../db/buyback/buyback-rounds.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import type { ChainTransaction } from '../../../db/schema/money.ts';
import { buybackBurnPurpose, buybackSwapPurpose } from '../../../domain/buyback/buyback.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { facts, print, table } from '../../output.ts';

const EXAMPLES = `
Example:
  npm run ops -- buybacks show flywheel-7Gyq…mint…-3 --json`;

export function buybacksShowCommand(buybacks: Command, io: OpsIo): void {
  buybacks
    .command('show')
    .description('show one purchase with its transactions')
    .argument('<id>', 'id, as `buybacks list` has it')
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action((id: string, options: OutputOptions) => show(io, id, options));
}

function show(io: OpsIo, id: string, options: OutputOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const purchase = await buybackRounds.byId(db, id);
    if (!purchase) throw new OpsError(`there is no purchase ${id}`);
    const purposes = [buybackSwapPurpose(id), buybackBurnPurpose(id, 1)];
    const attempts = await Promise.all(purposes.map((purpose) => chainTransactions.attemptsOf(db, purpose)));
    const transactions = attempts.flat().map(attemptOf);
    const { mostRaw, spentRaw, boughtRaw, slot, ...rest } = purchase;
    const numbers = { mostRaw, spentRaw, boughtRaw, slot };
    const text = { ...rest, ...asText(numbers) };
    print(io, options, { purchase, transactions }, `${facts(text)}\n\n${table(transactions)}`);
  });
}

function attemptOf({ purpose, attempt, signature, status, error, updatedAt }: ChainTransaction) {
  return { purpose, attempt, signature, status, error, updatedAt };
}

function asText(numbers: Readonly<Record<string, bigint | null>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(numbers).map(([name, raw]) => [name, raw === null ? null : String(raw)]));
}
