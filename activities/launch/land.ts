import { BundleSendError } from '../../chain/relay/bundle-relay.ts';
import { transaction } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { hasLanded } from '../money/book-statuses.ts';
import { followBundle, isWhole, observeBundle, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { createLandingPace, type LandingPace } from './landing-pace.ts';
import { settleExpired } from './not-landed.ts';
import { inState } from '../../domain/in-state.ts';

/**
 * Sends the bundle before `landBundle` starts, unless any of it was sent before. `landBundle` continues whether this
 * send succeeded or not.
 */
export async function sendFirst(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const begun = await beginBroadcast(deps, launch);
  if (begun?.isNew) await sendMissing(deps, begun.bundle);
}

/** Resends the same bytes without the landed ones: the block engine refuses a bundle with a processed transaction. */
export async function landBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const begun = await beginBroadcast(deps, launch);
  if (!begun) return;
  const pace = createLandingPace(deps, begun.bundle.at(-1)?.signature);
  try {
    await followToEnd(deps, launch, begun, pace);
  } finally {
    pace.stop();
  }
}

async function followToEnd(deps: LaunchDeps, launch: LaunchRecord, begun: Begun, pace: LandingPace): Promise<void> {
  const { resendMs } = deps.settings;
  let { bundle } = begun;
  for (let nextSendAt = begun.sendAt, isUnsent = begun.isNew; ; isUnsent = false) {
    deps.heartbeat();
    // Just sent by this run and not visible yet; every other decision needs a read of the whole bundle.
    const isDue = performance.now() >= nextSendAt || bundle.every(hasLanded);
    if (isDue && !isUnsent) bundle = await observeBundle(deps, launch);
    if (isWhole(bundle)) return concludeLanded(deps, launch, bundle);
    if (isDue) {
      await sendMissing(deps, bundle);
      // The proof waits for every endpoint, so it runs after a send, not after each poll.
      if (!isUnsent && (await settleExpired(deps, launch, bundle))) return;
      nextSendAt = performance.now() + resendMs;
    }
    const withinMs = await pace.next();
    bundle = await followBundle(deps, launch, bundle, withinMs);
  }
}

interface Begun {
  readonly bundle: readonly ChainTransaction[];
  readonly isNew: boolean;
  /** On the clock of `performance`: now, unless all of it was sent a moment ago. */
  readonly sendAt: number;
}

/** Records in ledger and launch together, before the first byte is sent, that the payment may land from now on. */
async function beginBroadcast(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<Begun | null> {
  return transaction(deps.db, async (tx) => {
    const launch = inState(await launches.byQuoteId(tx, quoteId), 'preparing', 'landing');
    if (!launch) return null;
    const bundle = await readBundle(tx, quoteId);
    const unsent = bundle.filter((row) => row.status === 'signed');
    if (unsent.length > 0 && !(await startBroadcast(tx, unsent)).ok) return null;
    // Roll back: only a launch in `landing` may have sent bytes.
    if (launch.state === 'preparing' && !(await transitionLaunch(tx, quoteId, ['preparing'], 'landing')))
      throw new Error(`launch ${quoteId} was taken on by another run`);
    const out = bundle.map((row) => (unsent.includes(row) ? { ...row, status: 'broadcasting' as const } : row));
    const isNew = unsent.length > 0 && unsent.length === bundle.length;
    return { bundle: out, isNew, sendAt: performance.now() + sendAgainMs(deps, bundle) };
  });
}

/**
 * Returns the time until the next resend, ms. A bundle sent less than `resendMs` ago is on its way, or its sender
 * died; that resend covers both.
 */
function sendAgainMs({ now, settings: { resendMs } }: LaunchDeps, bundle: readonly ChainTransaction[]): number {
  const outFor = bundle.map(({ broadcastAt }) => (broadcastAt ? now().getTime() - broadcastAt.getTime() : Infinity));
  return Math.min(resendMs, Math.max(0, resendMs - Math.max(...outFor)));
}

/** A failed send decides nothing: earlier bytes may land, and the chain is polled anyway. */
async function sendMissing(deps: LaunchDeps, bundle: readonly ChainTransaction[]): Promise<void> {
  // Another run has just signed these: their broadcast is not decided.
  const missing = bundle.filter((row) => !hasLanded(row) && row.status !== 'signed');
  if (missing.length === 0) return;
  try {
    const { bundleId } = await deps.relay.sendBundle(missing.map((row) => row.wire));
    deps.logger.info({ bundleId, transactions: missing.length }, 'bundle sent');
  } catch (error) {
    if (!(error instanceof BundleSendError)) throw error;
    deps.logger.warn({ err: error, outcome: error.outcome }, 'bundle send failed');
  }
}

async function concludeLanded(deps: LaunchDeps, { quoteId }: LaunchRecord, bundle: readonly ChainTransaction[]) {
  const payment = bundle[0]!;
  const slot = bundle.at(-1)!.slot ?? undefined;
  await transitionLaunch(deps.db, quoteId, ['landing'], 'recording', {
    paymentSignature: payment.signature,
    slot,
  });
  deps.logger.info({ slot: Number(slot) }, 'bundle landed');
}
