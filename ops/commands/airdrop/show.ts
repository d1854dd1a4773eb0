import type { Command } from 'commander';
import * as airdrops from '../../../db/airdrop/airdrops.ts';
import * as chainTransactions from '../../../db/money/chain-transactions.ts';
import type { Db } from '../../../db/connect.ts';
import { formatUnits } from '../../../domain/amounts.ts';
import { TOKEN_DECIMALS } from '../../../domain/token-facts.ts';
import { airdropPurpose } from '../../../domain/purpose.ts';
import { airdropWorkflowId } from '../../../workflows/airdrop/messages.ts';
import { findTemporal } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import { findAirdrop } from './find-airdrop.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions } from '../../options.ts';
import { facts, print, table } from '../../output.ts';
import { workflowLink } from '../../workflow-link.ts';
import { summaryOf } from './stuck.ts';

export function airdropsShowCommand(airdrops: Command, io: OpsIo): void {
  airdrops
    .command('show')
    .description('show one airdrop: terms, progress, transactions that are not final')
    .argument('<id>', 'quote id of the launch, or mint of its token')
    .addOption(jsonOption())
    .action((id: string, options: OutputOptions) => withDatabase(io, (db) => show(db, io, id, options)));
}

async function show(db: Db, io: OpsIo, id: string, options: OutputOptions): Promise<void> {
  const { quoteId, shareRaw, recipientsHash, recipientsUri, sealedRoot, sealSignature } = await findAirdrop(db, id);
  const summary = await summaryOf(db, quoteId);
  const open = await openOf(db, quoteId);
  const workflow = workflowLink(airdropWorkflowId(quoteId), findTemporal(io));
  const agreed = {
    share: formatUnits(shareRaw, TOKEN_DECIMALS),
    shareRaw,
    recipientsHash,
    recipientsUri,
    sealedRoot,
    sealSignature,
  };
  const text = facts({
    'quote id': quoteId,
    mint: summary.mint,
    share: agreed.share,
    recipients: summary.recipients,
    list: recipientsUri,
    document: sealedRoot,
    'sealed by': sealSignature,
    delivered: summary.deliveredRecipients,
    'delivered at': summary.deliveredAt,
    tries: summary.tries,
    'last try': summary.triedAt,
    problem: summary.problem,
    workflow: workflow.url ?? workflow.id,
  });
  const rows = open.map(({ wallets, ...row }) => ({ ...row, wallets: wallets.join(' ') }));
  print(
    io,
    options,
    { ...summary, ...agreed, workflow, open },
    open.length === 0 ? text : `${text}\n\nnot final:\n${table(rows)}`,
  );
}

async function openOf(db: Db, quoteId: string) {
  const batches = await airdrops.openBatches(db, quoteId);
  return Promise.all(
    batches.map(async ({ batch, shares }) => {
      const last = (await chainTransactions.attemptsOf(db, airdropPurpose(quoteId, batch))).at(-1);
      const { status = 'not signed', signature = null, error = null, attempt = 0 } = last ?? {};
      return { batch, status, attempt, signature, error, wallets: shares.map(({ wallet }) => wallet) };
    }),
  );
}
