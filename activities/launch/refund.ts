import type { Stamp } from '../../chain/lanes/stamp.ts';
import { failsAtStep } from '../../chain/lanes/step.ts';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { networkFeeOf } from '../../chain/launch/payment.ts';
import { buildRefund, type RefundRequest } from '../../chain/launch/refund.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { lockLaunchState, transitionLaunch } from '../../db/launch/launch-transition.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { isLive } from '../../db/money/chain-transactions.ts';
import { type Db, transaction } from '../../db/connect.ts';
import { abandonSigned } from '../../db/money/chain-transaction-batches.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { AppError } from '../../domain/errors.ts';
import { launchPurpose, refundPurpose } from '../../domain/purpose.ts';
import { type Moved, moveOnce, MovementFailedError } from '../money/move-once.ts';
import { launchKeysOf } from './assemble.ts';
import { adoptBundle, observeBundle, readBundle } from './bundle-rows.ts';
import { storedTermsRefusal } from './authority/refusal-of.ts';
import type { LaunchDeps } from './deps.ts';
import { bookNotCharged, buryDead } from './not-landed.ts';

/**
 * Gives the creator the payment and its network fee back, once. It waits until the payment is finalized and every other
 * transaction of the launch is settled; a pool that exists after all, or a refund that the chain refuses, ends it, and an
 * operator decides anew.
 */
export async function refundLaunch(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'refunding') return;
  const { quoteId } = launch;
  const refusal = storedTermsRefusal(deps, launch);
  if (refusal !== undefined) return void (await decline(deps, quoteId, `a refund is not possible: ${refusal}`));
  const settled = await settledBundle(deps, launch);
  if (settled === null) return;
  const lamports = await chargedLamports(deps, launch, settled.payment);
  if (typeof lamports === 'string') return declineFailed(deps, quoteId, lamports);
  const refund = await payBack(deps, launch, settled, lamports);
  if (typeof refund === 'string') return declineFailed(deps, quoteId, refund);
  await transitionLaunch(deps.db, quoteId, ['refunding'], 'refunded', {
    refundSignature: refund.signature,
    slot: refund.slot,
    reason: `the launch could not be completed; ${lamports} lamports were given back`,
  });
  deps.logger.warn({ refundSignature: refund.signature, lamports: lamports.toString() }, 'launch refunded');
}

/** A refund that would fail on the chain, by a quorum: nothing was signed for good. */
class RefundRefusedError extends Error {
  constructor(reason: unknown, logs: readonly string[]) {
    super(`it would fail: ${JSON.stringify(reason)}; ${logs.at(-1) ?? 'no logs'}`);
    this.name = 'RefundRefusedError';
  }
}

/** Refusals by a quorum after which an operator decides: nodes may lag behind what they are asked about. */
const MOST_REFUSALS = 3;

/** The finalized refund, or why the chain refused it: trying again by itself would only cost fees. */
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
    assertDue: (tx: Db) => assertRefunding(tx, quoteId),
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

/** Tried before it is signed for good: one that fails on the chain pays its fee and leaves the refund to an operator. */
async function buildTried({ rpc }: LaunchDeps, request: RefundRequest): Promise<SignedTransaction> {
  const signed = await buildRefund(rpc, request);
  // Without its signatures: no RPC provider holds what it could send before the ledger does.
  const { err, logs } = await rpc.simulateTransaction(withoutSignatures(signed.wire), { verifySignatures: false });
  if (err === null) return signed;
  // The lane has a step that is not final yet, or is seen by nodes that are behind it; that passes.
  if (failsAtStep(signed.wire, err))
    throw new Error(`the lane of ${refundPurpose(request.terms.quoteId)} is not where it was`);
  throw new RefundRefusedError(err, logs);
}

/** A launch that was parked, resumed, or parked once more meanwhile must not be refunded for what was true before. */
async function assertRefunding(tx: Db, quoteId: string): Promise<void> {
  const state = await lockLaunchState(tx, quoteId);
  const bundle = await readBundle(tx, quoteId);
  const isAsProven = bundle.every(({ status }) => status === 'finalized') && !poolIn(bundle, quoteId);
  if (state === 'refunding' && isAsProven) return;
  throw new Error(`launch ${quoteId} is ${state} and has gone on, so it is not refunded any more`);
}

function poolIn(bundle: readonly ChainTransaction[], quoteId: string): ChainTransaction | undefined {
  return bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 3));
}

/** What is left of a bundle of which nothing can land any more. */
interface SettledBundle {
  readonly payment: ChainTransaction;
  readonly isMinted: boolean;
}

/** Waits until nothing of the launch can land any more. Answers what took effect, or null where the pool exists after all. */
async function settledBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<SettledBundle | null> {
  const { quoteId } = launch;
  await adoptBundle(deps, launch);
  for (;;) {
    deps.heartbeat();
    const bundle = await observeBundle(deps, launch);
    const payment = bundle.find(({ purpose }) => purpose === launchPurpose(quoteId, 1));
    if (!payment) return nothingToRefund(deps, launch);
    const pool = poolIn(bundle, quoteId);
    if (pool?.status === 'finalized') return poolExists(deps, quoteId, pool);
    const open = bundle.filter(({ status }) => status !== 'finalized');
    if (open.length === 0)
      return { payment, isMinted: bundle.some(({ purpose }) => purpose === launchPurpose(quoteId, 2)) };
    await abandonUnsent(deps, open);
    const sent = open.filter(({ status }) => status === 'broadcasting');
    const unexplained = await buryDead(deps, launch, sent);
    if (unexplained !== undefined) return cannotSay(deps, quoteId, unexplained);
    await deps.sleep(deps.settings.pollMs * 4);
  }
}

/** What was signed and never sent is not sent any more. */
async function abandonUnsent(deps: LaunchDeps, open: readonly ChainTransaction[]): Promise<void> {
  const unsent = open.filter(({ status }) => status === 'signed');
  if (unsent.length > 0) await abandonSigned(deps.db, unsent);
}

/**
 * The payment itself is proven dead, or failed for good: nothing was charged. Where the ledger never had it although the chain shows the
 * launch, nothing is said of that.
 */
async function nothingToRefund(deps: LaunchDeps, launch: LaunchRecord): Promise<null> {
  const { quoteId, terms } = launch;
  const attempts = await chainTransactions.attemptsOf(deps.db, launchPurpose(quoteId, 1));
  const isProven = attempts.some(({ status }) => status === 'dead' || status === 'failed');
  if (!isProven && (await hasBegun(deps.rpc, terms)))
    return cannotSay(deps, quoteId, 'the chain shows it, and its payment is not in the ledger yet');
  const reason = 'the payment did not land after all';
  await transaction(deps.db, (tx) => bookNotCharged(tx, launch, 'refunding', reason));
  return null;
}

async function poolExists(deps: LaunchDeps, quoteId: string, { signature }: ChainTransaction): Promise<null> {
  await decline(deps, quoteId, `a refund is not possible: the pool exists since ${signature}; resume or record`);
  return null;
}

async function cannotSay(deps: LaunchDeps, quoteId: string, why: string): Promise<null> {
  await decline(deps, quoteId, `a refund is not possible: it cannot be said what landed of the bundle: ${why}`);
  return null;
}

/** The launch stays in `refunding` as long as a refund can take effect, also one that another run has just signed. */
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

/**
 * What the launch cost its creator, and why it cannot be said: the agreed payment and the network fee that the chain took for it, where
 * what landed is this very payment.
 */
async function chargedLamports(
  { rpc }: LaunchDeps,
  { terms }: LaunchRecord,
  { signature }: ChainTransaction,
): Promise<bigint | string> {
  const landed = await rpc.agreedTransaction(signature);
  if (!landed) throw new Error(`no quorum of RPC endpoints has the finalized payment ${signature} yet`);
  const { lamports, message } = terms.payment;
  try {
    checkSignedPayment(message, Buffer.from(landed.wire).toString('base64'));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${signature} is another payment than the stored one: ${error.message}`;
  }
  // The message says what it can cost at most, whatever endpoints say that it did.
  const highest = networkFeeOf(message);
  return BigInt(lamports) + (landed.fee < highest ? landed.fee : highest);
}
