import { PublicKey } from '@solana/web3.js';
import { blocksLeft } from '../../chain/rpc/blocks-left.ts';
import { transaction } from '../../db/connect.ts';
import { abandonSigned } from '../../db/money/chain-transaction-batches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Ends a launch of which nothing was sent: its transactions are abandoned and its state is `not_landed`, in one database
 * transaction. Where one of them may already be on its way this changes nothing, and the launch goes on landing.
 */
export async function giveUpUnsent(
  deps: LaunchDeps,
  quoteId: string,
  bundle: readonly ChainTransaction[],
  reason: string,
): Promise<void> {
  const ended = await transaction(deps.db, async (tx) => {
    if (bundle.length > 0 && !(await abandonSigned(tx, bundle)).ok) return false;
    // What was not signed when this was decided may be by now, by another run: that one goes on.
    const from = bundle.length > 0 ? (['received', 'preparing'] as const) : (['received'] as const);
    return transitionLaunch(tx, quoteId, from, 'not_landed', { reason });
  });
  deps.logger.info({ reason, ended }, 'launch given up before anything was sent');
}

/** Why a launch of which nothing was sent comes too late; undefined while its blockhash is valid. */
export async function expiryOf({ rpc }: LaunchDeps, { terms }: LaunchRecord): Promise<string | undefined> {
  const { lastValidBlockHeight } = terms.payment;
  const left = await blocksLeft(rpc, lastValidBlockHeight, 0);
  if (left >= 0) return undefined;
  return `the quote's blockhash expired at block height ${lastValidBlockHeight}, the chain is at ${lastValidBlockHeight - left}`;
}

/** That the creator cannot pay, in words that help more than the chain's; undefined when the wallet holds the payment. */
export async function povertyOf({ rpc }: LaunchDeps, { terms }: LaunchRecord): Promise<string | undefined> {
  const { creator } = terms;
  const needed = BigInt(terms.payment.lamports);
  if (BigInt(await rpc.connection.getBalance(new PublicKey(creator), 'confirmed')) > needed) return undefined;
  const held = await rpc.mostLamports(creator);
  if (held > needed) return undefined;
  return `wallet ${creator} holds ${held} lamports; the payment takes ${needed} and its network fee`;
}
