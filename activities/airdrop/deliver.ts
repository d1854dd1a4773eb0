import { buildDelivery } from '../../chain/airdrop/delivery.ts';
import type { LaunchKeys } from '../../chain/keys/launch-keys.ts';
import { baseTokenOf } from '../../chain/launch/pool-request.ts';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import * as airdrops from '../../db/airdrop/airdrops.ts';
import type { OpenBatch } from '../../db/airdrop/airdrops.ts';
import type { Db } from '../../db/connect.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { airdropPurpose } from '../../domain/purpose.ts';
import { launchKeysOf } from '../launch/assemble.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import { moveOnce } from '../money/move-once.ts';
import type { AirdropDeps } from './deps.ts';

/** So many batches that fail have one reason, which the others would only meet too. */
const MOST_FAILURES = 10;

/** What is delivered, and with which keys. */
interface Delivery {
  readonly launch: LaunchRecord;
  readonly terms: AirdropTerms;
  readonly keys: LaunchKeys;
}

/** A delivery that would fail on the chain: nothing was sent. */
export class DeliveryRefusedError extends Error {
  constructor(purpose: string, reason: unknown, logs: readonly string[]) {
    super(`${purpose} would fail: ${JSON.stringify(reason)}; ${logs.at(-1) ?? 'no logs'}`);
    this.name = 'DeliveryRefusedError';
  }
}

/**
 * Brings everybody in the plan of a launch's airdrop their tokens, once: several transactions at a time, each followed until it
 * is final. A batch that fails leaves the others alone. Throws the first failure once nothing more can be done.
 */
export async function deliver(deps: AirdropDeps, launch: LaunchRecord): Promise<void> {
  const { quoteId, state, terms } = launch;
  if (state !== 'finalized')
    throw new Error(`launch ${quoteId} is ${state}; only a finalized one delivers its airdrop`);
  if (!terms.airdrop) throw new Error(`launch ${quoteId} has no airdrop`);
  await airdrops.noteTry(deps.db, quoteId);
  const delivery = { launch, terms: terms.airdrop, keys: launchKeysOf(deps, terms) };
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
    assertDue: (tx: Db) => airdrops.assertDue(tx, quoteId, open.batch),
    build: (stamp) => build(deps, delivery, open, stamp),
  });
  if (moved === null) throw new Error(`${purpose} moved nothing`);
  await airdrops.markBatch(deps.db, quoteId, open.batch, { signature: moved.signature, slot: moved.slot });
}

/** Tried before it is signed for good: a transaction that fails costs its fee, and the escrow has only what was paid for. */
async function build(
  deps: AirdropDeps,
  { launch, terms, keys }: Delivery,
  { batch, shares }: OpenBatch,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const signed = await buildDelivery(deps.rpc, {
    stamp,
    shares,
    token: baseTokenOf(launch.terms),
    escrow: keys.wallet,
    computeUnitPrice: BigInt(terms.computeUnitPrice),
  });
  // Without its signature: no RPC provider holds what it could send before the ledger does.
  const { err, logs } = await deps.rpc.simulateTransaction(withoutSignatures(signed.wire), { verifySignatures: false });
  if (err !== null) throw new DeliveryRefusedError(airdropPurpose(launch.quoteId, batch), err, logs);
  return signed;
}

/** The failure to end with, kept where an operator sees it; a worker that was told to stop has met none. */
async function noted(deps: AirdropDeps, quoteId: string, failures: readonly unknown[]): Promise<unknown> {
  const [first] = failures;
  if (first instanceof Error && first.name !== 'CancelledFailure') {
    const problem = failures.length === 1 ? first.message : `${first.message} (and ${failures.length - 1} more)`;
    await airdrops.noteProblem(deps.db, quoteId, problem);
    deps.logger.warn({ err: first, failures: failures.length }, 'airdrop is not delivered whole');
  }
  return first;
}
