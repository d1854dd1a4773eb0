import type { Command } from 'commander';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import type { Db } from '../../../db/connect.ts';
import { withDatabase } from '../../database.ts';
import { findAirdrop } from './find-airdrop.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { print, type Row } from '../../output.ts';

const HELP = `
A delivery to a hundred wallets takes about half a minute, to five thousand about ten. One that has a problem is tried again by
itself, within five minutes at the latest.

Examples:
  npm run ops -- airdrops stuck
  npm run ops -- airdrops stuck --json | jq '.airdrops[].problem'`;

export function airdropsStuckCommand(group: Command, io: OpsIo): void {
  group
    .command('stuck')
    .description('show airdrops of final launches that are not delivered, and why')
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: OutputOptions) =>
      withDatabase(io, async (db) => {
        const quoteIds = await airdrops.undelivered(db);
        const open = await Promise.all(quoteIds.map((quoteId) => summaryOf(db, quoteId)));
        print(io, options, { airdrops: open }, open.length === 0 ? 'every airdrop is delivered' : open.map(toRow));
      }),
    );
}

export async function summaryOf(db: Db, id: string) {
  const { quoteId, mint, plannedAt, tries, triedAt, problem, deliveredAt } = await findAirdrop(db, id);
  const progress = await airdrops.progressOf(db, quoteId);
  return { quoteId, mint, ...progress, plannedAt, tries, triedAt, problem, deliveredAt };
}

function toRow(open: Awaited<ReturnType<typeof summaryOf>>): Row {
  const { quoteId, mint, deliveredRecipients, recipients, plannedAt, tries, triedAt, problem } = open;
  return {
    'quote id': quoteId,
    mint,
    delivered: `${deliveredRecipients} of ${recipients}`,
    planned: plannedAt,
    tries,
    'last try': triedAt,
    problem,
  };
}
