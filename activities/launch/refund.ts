import { buildRefund } from '../../chain/launch/refund.ts';
import type { LaunchRecord } from '../../db/records.ts';
import { createChainTransactionRepository } from '../../db/chain-transactions.ts';
import { createLaunchRepository } from '../../db/launches.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { moveOnce } from '../money/once.ts';
import { launchKeysOf } from './assemble.ts';
import { adoptBundle, observeBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { buryDead } from './expire.ts';

/**
 * Gives the creator the payment and its network fee back, once. It waits until the payment is finalized and every other
 * transaction of the launch is settled; a pool that exists after all ends the refund, and an operator decides anew.
 */
export async function refundLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'refunding') return;
  const payment = await settledPayment(deps, launch);
  if (payment === null) return;
  const lamports = await chargedLamports(deps, launch, payment);
  const { terms, quoteId } = launch;
  const { builder, settings, rpc } = deps;
  const refund = await moveOnce(deps, settings, {
    purpose: refundPurpose(quoteId),
    escrow: terms.addresses.launchWallet,
    build: (blockhash) =>
      buildRefund(rpc.connection, {
        ...{ terms, lamports, blockhash, keys: launchKeysOf(deps, terms) },
        ...{ platform: builder.platform, treasury: builder.treasury, computeUnitPrice: settings.computeUnitPrice },
      }),
  });
  if (!refund) throw new Error(`the refund of launch ${quoteId} moved nothing`);
  await createLaunchRepository(deps.db).transition(quoteId, ['refunding'], 'refunded', {
    ...{ refundSignature: refund.signature, slot: refund.slot ?? undefined },
    reason: `the launch could not be completed; ${lamports} lamports were given back`,
  });
  deps.logger.warn({ refundSignature: refund.signature, lamports: lamports.toString() }, 'launch refunded');
}

/** Waits until nothing of the launch can land any more. Answers the payment, or null where the pool exists after all. */
async function settledPayment(deps: LaunchDeps, launch: LaunchRecord): Promise<ChainTransaction | null> {
  const { quoteId } = launch;
  await adoptBundle(deps, launch);
  for (;;) {
    deps.heartbeat();
    const bundle = await observeBundle(deps, launch);
    const payment = bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 1));
    if (!payment) return nothingToRefund(deps, quoteId);
    const pool = bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 3));
    if (pool?.status === 'finalized') return refuse(deps, quoteId, pool);
    const open = bundle.filter(({ status }) => status !== 'finalized');
    if (open.length === 0) return payment;
    await abandonUnsent(deps, open);
    await buryDead(
      deps,
      launch,
      open.filter(({ status }) => status === 'broadcasting'),
    );
    await deps.sleep(deps.settings.pollMs * 4);
  }
}

/** What was signed and never sent is not sent any more. */
async function abandonUnsent(deps: LaunchDeps, open: readonly ChainTransaction[]): Promise<void> {
  const unsent = open.filter(({ status }) => status === 'signed');
  if (unsent.length > 0) await createChainTransactionRepository(deps.db).abandon(unsent);
}

/** The payment itself is proven dead, or failed for good: nothing was charged. */
async function nothingToRefund(deps: LaunchDeps, quoteId: string): Promise<null> {
  const reason = 'the payment did not land after all';
  await createLaunchRepository(deps.db).transition(quoteId, ['refunding'], 'not_landed', {
    reason,
    paymentSignature: null,
  });
  return null;
}

async function refuse(deps: LaunchDeps, quoteId: string, pool: ChainTransaction): Promise<null> {
  const blockedReason = `a refund is not possible: the pool exists since ${pool.signature}; resume or record`;
  await createLaunchRepository(deps.db).transition(quoteId, ['refunding'], 'needs_recovery', { blockedReason });
  deps.logger.error({ blockedReason }, 'refund refused');
  return null;
}

/** What the launch cost its creator: the agreed payment and the network fee the chain took for it. */
async function chargedLamports(deps: LaunchDeps, { terms }: LaunchRecord, payment: ChainTransaction): Promise<bigint> {
  const landed = await deps.rpc.getTransaction(payment.signature, 'finalized');
  if (!landed) throw new Error(`no RPC endpoint has the finalized payment ${payment.signature} yet`);
  return BigInt(terms.payment.lamports) + landed.fee;
}
