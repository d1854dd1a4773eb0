import { buildDelivery } from '../../chain/airdrop/delivery.ts';
import { baseTokenOf } from '../../chain/launch/pool-request.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { OpenBatch } from '../../db/airdrop/airdrops.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { airdropPurpose } from '../../domain/purpose.ts';
import { launchKeysOf } from '../launch/assemble.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import { moveOnce } from '../money/move-once.ts';
import type { Delivery } from './delivery.ts';
import type { AirdropDeps } from './deps.ts';
import { sealAirdrop } from './seal.ts';

/** Failures after which the delivery stops: so many very likely share one cause. */
const MOST_FAILURES = 10;

/** The batch's simulation failed; nothing was sent. */
export class DeliveryRefusedError extends Error {
  constructor(purpose: string, reason: unknown, logs: readonly string[]) {
    super(`${purpose} would fail: ${JSON.stringify(reason)}; ${logs.at(-1) ?? 'no logs'}`);
    this.name = 'DeliveryRefusedError';
  }
}

/**
 * Seals the list, then delivers each batch once, several in parallel, each until it is final. A failed batch does not
 * stop the others; its failure is thrown when no more work is possible.
 */
export async function deliver(deps: AirdropDeps, launch: LaunchRecord): Promise<void> {
  const { quoteId, state, terms } = launch;
  if (state !== 'finalized')
    throw new Error(`launch ${quoteId} is ${state}; only a finalized one delivers its airdrop`);
  if (!terms.airdrop) throw new Error(`launch ${quoteId} has no airdrop`);
  await airdrops.noteTry(deps.db, quoteId);
  const delivery = { launch, terms: terms.airdrop, keys: launchKeysOf(deps, terms) };
  try {
    await sealAirdrop(deps, delivery);
  } catch (error) {
    throw await noted(deps, quoteId, [error]);
  }
  const open = await airdrops.openBatches(deps.db, quoteId);
  const failures: unknown[] = [];
  await inParallel(deps.airdrop.batchesAtOnce, open, async (batch) => {
    if (failures.length >= MOST_FAILURES) return;
    await deliverBatch(deps, delivery, batch).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw await noted(deps, quoteId, failures);
  await airdrops.markDelivered(deps.db, quoteId);
  deps.logger.info({ batches: open.length }, 'airdrop delivered');
}

async function deliverBatch(deps: AirdropDeps, delivery: Delivery, open: OpenBatch): Promise<void> {
  const { quoteId } = delivery.launch;
  const purpose = airdropPurpose(quoteId, open.batch);
  const moved = await moveOnce(deps, {
    purpose,
    payer: delivery.keys.wallet.publicKey,
    isBulk: true,
    assertDue: (tx) => airdrops.lockDue(tx, quoteId, open.batch),
    build: (stamp) => build(deps, delivery, open, stamp),
  });
  if (moved === null) throw new Error(`${purpose} moved nothing`);
  await airdrops.markBatch(deps.db, quoteId, open.batch, { signature: moved.signature, slot: moved.slot });
}

/** Simulates first: a failing transaction costs its fee, and the escrow holds only what was paid for. */
async function build(
  deps: AirdropDeps,
  { launch, terms, keys }: Delivery,
  { batch, shares }: OpenBatch,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const signed = await buildDelivery({
    stamp,
    shares,
    token: baseTokenOf(launch.terms),
    escrow: keys.wallet,
    computeUnitPrice: BigInt(terms.computeUnitPrice),
  });
  // Without signatures, so that no RPC provider holds sendable bytes before the ledger does.
  const { err, logs } = await deps.rpc.simulateTransaction(withoutSignatures(signed.wire), {
    verifySignatures: false,
    byQuorum: true,
  });
  if (err !== null) throw new DeliveryRefusedError(airdropPurpose(launch.quoteId, batch), err, logs);
  return signed;
}

/** Records the first failure. A cancelled worker is none. */
async function noted(deps: AirdropDeps, quoteId: string, failures: readonly unknown[]): Promise<unknown> {
  const [first] = failures;
  if (first instanceof Error && first.name !== 'CancelledFailure') {
    const problem = failures.length === 1 ? first.message : `${first.message} (and ${failures.length - 1} more)`;
    await airdrops.noteProblem(deps.db, quoteId, problem);
    deps.logger.warn({ err: first, failures: failures.length }, 'airdrop is not delivered whole');
  }
  return first;
}
