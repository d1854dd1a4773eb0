import { findTight } from '../../chain/launch/compute-headroom.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { expiryOf, giveUpUnsent, povertyOf } from './give-up-unsent.ts';

/**
 * Simulates the whole bundle before anything is sent. A bundle that would fail ends the launch at once, at no cost. The
 * node gets the transactions without the platform's signatures: no RPC provider ever holds a payment it could send.
 */
export async function simulateBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'preparing') return;
  const bundle = await readBundle(deps.db, launch.quoteId);
  if (bundle.some((row) => row.status !== 'signed')) return;
  const simulated = simulationFailure(deps, bundle);
  // Where the payment cannot land anyway, nothing depends on what else is wrong, or on whether it could be simulated at all.
  simulated.catch(() => undefined);
  const [expiry, poverty] = await Promise.all([expiryOf(deps, launch), povertyOf(deps, launch)]);
  const refusal = expiry ?? poverty ?? (await simulated);
  // In a restored database a bundle looks unsent that has landed: then the next step finds it on the chain.
  if (refusal === undefined || (await hasBegun(deps.rpc, launch.terms))) return;
  await giveUpUnsent(deps, launch.quoteId, bundle, refusal);
}

/**
 * Why transactions would fail one upon the other; undefined when they would land. Throws where no quorum says so, and where their
 * blockhash is not known: the nodes lag, or it has expired, which is asked for by itself.
 */
export async function simulationFailure(
  { rpc, logger }: LaunchDeps,
  bundle: readonly { readonly purpose: Purpose; readonly wire: Uint8Array }[],
): Promise<string | undefined> {
  const wires = bundle.map((row) => withoutSignatures(row.wire));
  const isFine = (units: readonly number[]) => !findTight(wires, units);
  const simulation = await rpc.simulateBundle(wires, { verifySignatures: false, isFine });
  if (simulation.ok) return tightnessOf(bundle, simulation.unitsConsumed);
  const { index, err, logs } = simulation;
  const purpose = bundle[index]?.purpose ?? 'the bundle';
  logger.warn({ purpose, err, logs }, 'bundle simulation failed');
  return `${purpose} would fail: ${JSON.stringify(err)}`;
}

/** A transaction that all but uses up what it asks for may fail where it lands; then it is not sent. */
function tightnessOf(
  bundle: readonly { readonly purpose: Purpose; readonly wire: Uint8Array }[],
  unitsConsumed: readonly number[],
): string | undefined {
  const wires = bundle.map(({ wire }) => wire);
  const tight = findTight(wires, unitsConsumed);
  if (!tight) return undefined;
  return `${bundle[tight.index]?.purpose} would take ${tight.unitsConsumed} of ${tight.unitLimit} compute units`;
}
