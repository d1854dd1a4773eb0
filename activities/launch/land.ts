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

/**
 * Sends the bundle for the first time, where nothing of it was let out before: it is on its way while somebody takes up to follow it.
 * Whether it left or not, `landBundle` goes on from here.
 */
export async function sendFirst(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  const begun = await beginBroadcast(deps, launch);
  if (begun?.isNew) await sendMissing(deps, begun.bundle);
}

/**
 * Sends the bundle and follows it until all of it landed, or what is missing is proven dead. The same bytes are sent
 * again and again; what already landed is left out, because a bundle with a processed transaction is refused whole.
 */
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
    // What this run has just let out is nowhere yet; before anything else is decided the whole of it is looked at.
    const isDue = performance.now() >= nextSendAt || bundle.every(hasLanded);
    if (isDue && !isUnsent) bundle = await observeBundle(deps, launch);
    if (isWhole(bundle)) return concludeLanded(deps, launch, bundle);
    if (isDue) {
      await sendMissing(deps, bundle);
      // The proof waits for every endpoint, so it is asked for after a send and not at each look.
      if (!isUnsent && (await settleExpired(deps, launch, bundle))) return;
      nextSendAt = performance.now() + resendMs;
    }
    const withinMs = await pace.next();
    bundle = await followBundle(deps, launch, bundle, withinMs);
  }
}

/** A launch that may be sent now. */
interface Begun {
  readonly bundle: readonly ChainTransaction[];
  /** Nothing of it was let out before. */
  readonly isNew: boolean;
  /** When it is to be sent next, on the clock of `performance`: at once unless all of it was let out a moment ago. */
  readonly sendAt: number;
}

/** From here on the payment may land: ledger and launch say so together, before the first byte leaves. */
async function beginBroadcast(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<Begun | null> {
  return transaction(deps.db, async (tx) => {
    const state = (await launches.byQuoteId(tx, quoteId))?.state;
    if (state !== 'preparing' && state !== 'landing') return null;
    const bundle = await readBundle(tx, quoteId);
    const unsent = bundle.filter((row) => row.status === 'signed');
    if (unsent.length > 0 && !(await startBroadcast(tx, unsent)).ok) return null;
    // Undone: what is let out belongs to a launch that is landing.
    if (state === 'preparing' && !(await transitionLaunch(tx, quoteId, ['preparing'], 'landing')))
      throw new Error(`launch ${quoteId} was taken on by another run`);
    const out = bundle.map((row) => (row.status === 'signed' ? { ...row, status: 'broadcasting' as const } : row));
    const isNew = unsent.length > 0 && unsent.length === bundle.length;
    return { bundle: out, isNew, sendAt: performance.now() + sendAgainMs(deps, bundle) };
  });
}

/** What was let out so shortly ago is on its way, or whoever let it out has died: it is sent again in time. */
function sendAgainMs({ now, settings: { resendMs } }: LaunchDeps, bundle: readonly ChainTransaction[]): number {
  const outFor = bundle.map(({ broadcastAt }) => (broadcastAt ? now().getTime() - broadcastAt.getTime() : Infinity));
  return Math.min(resendMs, Math.max(0, resendMs - Math.max(...outFor)));
}

/** A send that fails is no verdict: what was sent before may still land, and the chain is asked again anyway. */
async function sendMissing(deps: LaunchDeps, bundle: readonly ChainTransaction[]): Promise<void> {
  // What another run has just signed is not this one's to send: nobody has decided yet that it may leave.
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
