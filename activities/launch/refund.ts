import type { Stamp } from '../../chain/lanes/stamp.ts';
import { failsAtStep } from '../../chain/lanes/step.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { buildRefund, type RefundRequest } from '../../chain/launch/refund.ts';
import { UnknownError } from '../../chain/rpc/absence.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { lockLaunchState, transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { isLive } from '../../db/money/chain-transactions.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { type DueLock, takeDueLock } from '../../db/money/due-lock.ts';
import { abandonSigned } from '../../db/money/chain-transaction-batches.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import { launchKeysOf } from './assemble.ts';
import { adoptBundle, observeBundle, readBundle } from './bundle-rows.ts';
import { chargedLamports } from './charged-lamports.ts';
import { storedTermsRefusal } from './authority/refusal-of.ts';
import type { LaunchDeps } from './deps.ts';
import { bookNotCharged, buryDead } from './not-landed.ts';
import { inState } from '../../domain/in-state.ts';

/**
 * Refunds payment and network fee, once, after the payment is finalized and all other transactions are settled. If the
 * pool exists, or the chain refuses, it parks the launch.
 */
export async function refundLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'refunding') return;
  const { quoteId } = launch;
  const refusal = storedTermsRefusal(deps, launch, 'refund');
  if (refusal !== undefined) return void (await decline(deps, quoteId, `a refund is not possible: ${refusal}`));
  const settled = await settledBundle(deps, launch).catch((error: unknown) => declineForgotten(deps, quoteId, error));
  if (settled === null) return;
  const lamports = await chargedLamports(deps, launch, settled.payment);
  if (typeof lamports === 'string') return declineFailed(deps, quoteId, lamports);
  const refund = await payBack(deps, launch, settled, lamports);
  if (typeof refund === 'string') return declineFailed(deps, quoteId, refund);
  await transitionLaunch(deps.db, quoteId, ['refunding'], 'refunded', {
    paymentSignature: settled.payment.signature,
    refundSignature: refund.signature,
    slot: refund.slot,
    reason: `the launch could not be completed; ${lamports} lamports were given back`,
  });
  deps.logger.warn({ refundSignature: refund.signature, lamports: lamports.toString() }, 'launch refunded');
}

/** A quorum's simulation refused the refund; nothing was signed. */
class RefundRefusedError extends Error {
  constructor(reason: unknown, logs: readonly string[]) {
    super(`it would fail: ${JSON.stringify(reason)}; ${logs.at(-1) ?? 'no logs'}`);
    this.name = 'RefundRefusedError';
  }
}

/** Refused simulations after which an operator decides. Fewer may only mean that nodes lag. */
const MOST_REFUSALS = 3;

/**
 * Returns the finalized refund, or why the chain refused it. A refund that failed on the chain is not tried again: it
 * would only cost fees.
 */
async function payBack(
  deps: LaunchDeps,
  { terms, quoteId }: LaunchRecord,
  { isMinted }: SettledBundle,
  lamports: bigint,
): Promise<Moved | string> {
  const { builder, settings } = deps;
  const { platform, treasury } = builder;
  const { computeUnitPrice } = settings;
  const request = { terms, lamports, isMinted, platform, treasury, computeUnitPrice, keys: launchKeysOf(deps, terms) };
  const movement = {
    purpose: refundPurpose(quoteId),
    payer: platform.publicKey,
    assertDue: (tx: Db) => lockRefunding(tx, quoteId),
    build: (stamp: Stamp) => buildTried(deps, { ...request, stamp }),
  };
  for (let refused = 0; ;) {
    try {
      const refund = await moveOnce(deps, movement);
      return refund ?? `${movement.purpose} moved nothing`;
    } catch (error) {
      const isFinal = error instanceof MovementFailedError;
      if (!isFinal && !(error instanceof RefundRefusedError)) throw error;
      if (isFinal || ++refused >= MOST_REFUSALS) return error.message;
    }
    await deps.sleep(settings.pollMs * 4);
  }
}

/** Simulates first: a failed refund costs its fee and needs an operator. */
async function buildTried({ rpc }: LaunchDeps, request: RefundRequest): Promise<SignedTransaction> {
  const signed = await buildRefund(rpc, request);
  // Without signatures, so that no RPC provider holds sendable bytes before the ledger does.
  const { err, logs } = await rpc.simulateTransaction(withoutSignatures(signed.wire), { verifySignatures: false });
  if (err === null) return signed;
  // Passes by itself: the lane's last step is not final yet, or the nodes lag.
  if (failsAtStep(signed.wire, err))
    throw new Error(`the lane of ${refundPurpose(request.terms.quoteId)} is not where it was`);
  throw new RefundRefusedError(err, logs);
}

/** Checks again under the lock: the launch may have been parked or resumed since the proof. */
async function lockRefunding(tx: Db, quoteId: string): Promise<DueLock> {
  let state: LaunchState | null = null;
  const lock = await takeDueLock(
    tx,
    () => [refundPurpose(quoteId)],
    async () => {
      state = await lockLaunchState(tx, quoteId);
      const bundle = await readBundle(tx, quoteId);
      const isAsProven = bundle.every(({ status }) => status === 'finalized') && !poolIn(bundle, quoteId);
      return isAsProven ? inState(state && { state }, 'refunding') : null;
    },
  );
  if (!lock) throw new Error(`launch ${quoteId} is ${state} and has gone on, so it is not refunded any more`);
  return lock;
}

function poolIn(bundle: readonly ChainTransaction[], quoteId: string): ChainTransaction | undefined {
  return bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 3));
}

interface SettledBundle {
  readonly payment: ChainTransaction;
  readonly isMinted: boolean;
}

/** Waits until nothing can land any more; null if the pool exists. */
async function settledBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<SettledBundle | null> {
  const { quoteId } = launch;
  await adoptBundle(deps, launch);
  for (;;) {
    deps.heartbeat();
    const bundle = await observeBundle(deps, launch);
    const payment = bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 1));
    if (!payment) return nothingToRefund(deps, launch);
    const open = bundle.filter(({ status }) => status !== 'finalized');
    const pool = poolIn(bundle, quoteId);
    if (pool && !open.includes(pool)) return poolExists(deps, quoteId, pool);
    if (open.length === 0)
      return { payment, isMinted: bundle.some(({ purpose }) => purpose === launchPurpose(quoteId, 2)) };
    await abandonUnsent(deps, open);
    const sent = open.filter(({ status }) => status === 'broadcasting');
    const unexplained = await buryDead(deps, launch, sent);
    if (unexplained !== undefined) return cannotSay(deps, quoteId, unexplained);
    await deps.sleep(deps.settings.pollMs * 4);
  }
}

async function abandonUnsent(deps: LaunchDeps, open: readonly ChainTransaction[]): Promise<void> {
  const unsent = open.filter(({ status }) => status === 'signed');
  if (unsent.length > 0) await abandonSigned(deps.db, unsent);
}

/**
 * Books a dead payment as not charged. If the chain shows the launch and the ledger lacks the payment, declines the
 * refund and says neither.
 */
async function nothingToRefund(deps: LaunchDeps, launch: LaunchRecord): Promise<null> {
  const { quoteId, terms } = launch;
  const attempts = await chainTransactions.attemptsOf(deps.db, launchPurpose(quoteId, 1));
  const isProven = attempts.some(({ status }) => status === 'dead' || status === 'failed');
  if (!isProven && (await hasBegun(deps.rpc, terms, deps.now())))
    return cannotSay(deps, quoteId, 'the chain shows it, and its payment is not in the ledger yet');
  const reason = 'the payment did not land after all';
  await transaction(deps.db, (tx) => bookNotCharged(tx, launch, 'refunding', reason));
  return null;
}

async function poolExists(deps: LaunchDeps, quoteId: string, { signature }: ChainTransaction): Promise<null> {
  await decline(deps, quoteId, `a refund is not possible: the pool exists since ${signature}; resume or record`);
  return null;
}

/**
 * Declines a refund whose history is lost: waiting does not restore it. An operator adds an endpoint that has it, and
 * decides again.
 */
async function declineForgotten(deps: LaunchDeps, quoteId: string, error: unknown): Promise<null> {
  if (error instanceof UnknownError && error.isForgotten) return cannotSay(deps, quoteId, error.message);
  throw error;
}

async function cannotSay(deps: LaunchDeps, quoteId: string, why: string): Promise<null> {
  await decline(deps, quoteId, `a refund is not possible: it cannot be said what landed of the bundle: ${why}`);
  return null;
}

/** Stays in `refunding` while a refund can take effect, also one that another run has just signed. */
async function declineFailed(deps: LaunchDeps, quoteId: string, why: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    if (!(await decline({ ...deps, db: tx }, quoteId, `a refund is not possible: ${why}`))) return;
    const live = (await chainTransactions.attemptsOf(tx, refundPurpose(quoteId))).find(isLive);
    if (live) throw new Error(`refund ${live.signature} of launch ${quoteId} is under way`);
  });
}

async function decline(deps: LaunchDeps, quoteId: string, blockedReason: string): Promise<boolean> {
  const declined = await transitionLaunch(deps.db, quoteId, ['refunding'], 'needs_recovery', { blockedReason });
  if (declined) deps.logger.error({ blockedReason }, 'refund refused');
  return declined;
}
