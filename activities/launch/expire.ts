import { VersionedTransaction } from '@solana/web3.js';
import type { Effect } from '../../chain/rpc/witness.ts';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import { createLaunchRepository } from '../../db/launches.ts';
import type { LaunchRecord } from '../../db/records.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { createTokenRepository } from '../../db/tokens.ts';
import type { LaunchTerms } from '../../domain/launch-terms.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { adoptFromHistory } from './adopt.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Settles what is missing once it is proven that it can never land: without the payment the launch is `not_landed` and
 * nothing was charged; with it, the rest is to be signed anew. Answers whether the launch has left `landing`.
 */
export async function settleExpired(
  deps: LaunchDeps,
  launch: LaunchRecord,
  missing: readonly ChainTransaction[],
): Promise<boolean> {
  const verdict = await deps.rpc.proveDead({
    signatures: missing.map((row) => row.signature),
    lastValidBlockHeight: Math.max(...missing.map((row) => Number(row.lastValidBlockHeight))),
    blockhashSlot: Math.min(...missing.map((row) => Number(row.blockhashSlot))),
    effects: missing.map((row) => effectOf(launch.terms, row)),
  });
  switch (verdict.verdict) {
    case 'alive':
      return false;
    case 'unknown':
      deps.logger.warn({ reason: verdict.reason }, 'no proof yet whether the bundle is dead');
      await adoptFromHistory(deps, launch);
      return false;
    case 'landed':
      await adoptFromHistory(deps, launch);
      return false;
    case 'dead':
      return buryMissing(deps, launch, missing);
  }
}

/**
 * Where a transaction of the bundle leaves its trace whatever its signature. The launch wallet is known to the creator, who
 * may send it anything, so there only the payment's own message counts; the other accounts exist only through the bundle.
 */
function effectOf({ quoteId, addresses }: LaunchTerms, row: ChainTransaction): Effect {
  switch (row.purpose) {
    case launchPurpose(quoteId, 1):
      return { account: addresses.launchWallet, message: messageOf(row.wire) };
    case launchPurpose(quoteId, 2):
      return { account: addresses.mint };
    case launchPurpose(quoteId, 3):
      return { account: addresses.positionMints[0] };
    case launchPurpose(quoteId, 4):
      return { account: addresses.feeKeyMints[0] };
    default:
      throw new Error(`${row.purpose} is no transaction of launch ${quoteId}`);
  }
}

function messageOf(wire: Uint8Array): Uint8Array {
  return VersionedTransaction.deserialize(wire).message.serialize();
}

async function buryMissing(deps: LaunchDeps, { quoteId, mint }: LaunchRecord, missing: readonly ChainTransaction[]) {
  const nothingLanded = missing.some((row) => row.purpose === launchPurpose(quoteId, 1));
  await transaction(deps.db, async (tx) => {
    for (const row of missing) await createChainTransactionRepository(tx).markDead(row.signature);
    const launches = createLaunchRepository(tx);
    if (!nothingLanded) return launches.transition(quoteId, ['landing'], 'resuming');
    await createTokenRepository(tx).withdrawToken(mint);
    return launches.transition(quoteId, ['landing'], 'not_landed', {
      reason: 'the bundle did not land before its blockhash expired',
      paymentSignature: null,
    });
  });
  deps.logger.info({ nothingLanded, signatures: missing.map((row) => row.signature) }, 'missing transactions are dead');
  return true;
}
