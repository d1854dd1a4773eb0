import { VersionedMessage } from '@solana/web3.js';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import type { LaunchRecord } from '../../db/records.ts';
import { type HistoryEntry, splitMemos } from '../../chain/rpc/history.ts';
import { LAUNCH_STEPS, launchPurpose, type Purpose } from '../../domain/purpose.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Books transactions of this launch that the chain holds and the ledger does not: a payment whose message was signed a
 * second time, or anything after the database was restored. They are found by their memo in the launch wallet's history.
 */
export async function adoptFromHistory(deps: LaunchDeps, { terms }: LaunchRecord): Promise<void> {
  const history = await deps.rpc.historyOf(terms.addresses.launchWallet, { commitment: 'confirmed' });
  for (const step of LAUNCH_STEPS) {
    const purpose = launchPurpose(terms.quoteId, step);
    const entry = history.find(({ err, memo }) => err === null && memo !== null && splitMemos(memo).includes(purpose));
    if (entry) await adopt(deps, purpose, entry);
  }
}

async function adopt(deps: LaunchDeps, purpose: Purpose, entry: HistoryEntry): Promise<void> {
  const known = await createChainTransactionRepository(deps.db).bySignature(entry.signature);
  if (known) return;
  const landed = await deps.rpc.getTransaction(entry.signature, 'confirmed');
  if (!landed) return;
  const { wire, message } = landed;
  const blockhash = VersionedMessage.deserialize(message).recentBlockhash;
  await transaction(deps.db, async (tx) => {
    const ledger = createChainTransactionRepository(tx);
    const attempts = await ledger.attemptsOf(purpose);
    // Of two transactions with the same purpose only one can take effect, and this one has.
    for (const row of attempts.filter(({ status }) => status === 'broadcasting')) await ledger.markDead(row.signature);
    await ledger.insertSigned([
      {
        ...{ purpose, attempt: attempts.length + 1, signature: entry.signature, wire, blockhash },
        ...{ blockhashSlot: BigInt(entry.slot), lastValidBlockHeight: 0n },
      },
    ]);
    await ledger.markLanded(entry.signature, BigInt(entry.slot));
  });
  deps.logger.warn({ purpose, signature: entry.signature }, 'found on the chain what the ledger did not know');
}
