import { BundleSendError } from '../../chain/relay/bundle-relay.ts';
import { transaction } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { startBroadcast } from '../../db/money/chain-transaction-batches.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import type { ChainTransaction } from '../../db/schema/money.ts';
import { hasLanded } from '../money/book-statuses.ts';
import { isWhole, observeBundle, readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { settleExpired } from './not-landed.ts';

/**
 * Sends the bundle and follows it until all of it landed, or what is missing is proven dead. The same bytes are sent
 * again and again; what already landed is left out, because a bundle with a processed transaction is refused whole.
 */
export async function landBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (!(await beginBroadcast(deps, launch))) return;
  let nextSendAt = 0;
  for (;;) {
    deps.heartbeat();
    const bundle = await observeBundle(deps, launch);
    if (isWhole(bundle)) return concludeLanded(deps, launch, bundle);
    const missing = bundle.filter((row) => !hasLanded(row));
    if (missing.length === 0 || deps.now().getTime() >= nextSendAt) {
      // What another run has just signed is not this one's to send: nobody has decided yet that it may leave.
      await sendMissing(
        deps,
        missing.filter(({ status }) => status !== 'signed'),
      );
      nextSendAt = deps.now().getTime() + deps.settings.resendMs;
      // The proof waits for every endpoint, so it is asked for after a send and not at each look.
      if (await settleExpired(deps, launch, bundle)) return;
    }
    await deps.sleep(deps.settings.pollMs);
  }
}

/** From here on the payment may land: ledger and launch say so together, before the first byte leaves. */
async function beginBroadcast(deps: LaunchDeps, { quoteId }: LaunchRecord): Promise<boolean> {
  return transaction(deps.db, async (tx) => {
    const state = (await launches.byQuoteId(tx, quoteId))?.state;
    if (state !== 'preparing' && state !== 'landing') return false;
    const unsent = (await readBundle(tx, quoteId)).filter((row) => row.status === 'signed');
    if (unsent.length > 0 && !(await startBroadcast(tx, unsent)).ok) return false;
    return state === 'landing' || transitionLaunch(tx, quoteId, ['preparing'], 'landing');
  });
}

/** A send that fails is no verdict: what was sent before may still land, and the chain is asked again anyway. */
async function sendMissing(deps: LaunchDeps, missing: readonly ChainTransaction[]): Promise<void> {
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
