import { findTight } from '../../chain/launch/compute-headroom.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { withoutSignatures } from '../../chain/transactions/without-signatures.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { chainRefusal } from '../../domain/launch/chain-refusal.ts';
import { launchStepOf, type Purpose } from '../../domain/purpose.ts';
import { readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { expiryOf, giveUpUnsent, creatorShortage } from './give-up-unsent.ts';

/**
 * Simulates the bundle before anything is sent; a bundle that would fail ends the launch uncharged. Omits the
 * platform's signatures: no RPC provider holds a payment that it could send.
 */
export async function simulateBundle(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'preparing') return;
  const bundle = await readBundle(deps.db, launch.quoteId);
  if (bundle.some((row) => row.status !== 'signed')) return;
  const simulated = simulationFailure(deps, bundle);
  if ((await simulated.catch(() => null)) === undefined) return;
  // If the payment cannot land anyway, other failures do not matter.
  const [expiry, poverty] = await Promise.all([expiryOf(deps, launch), creatorShortage(deps, launch)]);
  const refusal = expiry ?? poverty ?? (await simulated)?.words;
  // In a restored database a landed bundle looks unsent; the next step finds it on the chain.
  if (refusal === undefined || (await hasBegun(deps.rpc, launch.terms, deps.now()))) return;
  await giveUpUnsent(deps, launch.quoteId, bundle, refusal);
}

export interface SimulationFailure {
  readonly words: string;
  readonly detail: string;
}

/**
 * Returns why the transactions would not land one after the other; undefined if they would. Throws without a quorum,
 * and if their blockhash is unknown: the nodes lag, or it expired, which `expiryOf` checks.
 */
export async function simulationFailure(
  { rpc, logger }: LaunchDeps,
  bundle: readonly { readonly purpose: Purpose; readonly wire: Uint8Array }[],
): Promise<SimulationFailure | undefined> {
  const wires = bundle.map((row) => withoutSignatures(row.wire));
  const isFine = (units: readonly number[]) => !findTight(wires, units);
  const simulation = await rpc.simulateBundle(wires, { verifySignatures: false, isFine });
  if (simulation.ok) return tightnessOf(bundle, simulation.unitsConsumed);
  const { index, err, logs } = simulation;
  const purpose = bundle[index]?.purpose;
  logger.warn({ purpose, err, logs }, 'bundle simulation failed');
  return {
    words: chainRefusal(launchStepOf(purpose), err),
    detail: `${purpose ?? 'the bundle'} would fail: ${JSON.stringify(err)}`,
  };
}

/** The chain's error for a compute limit that is too low. */
const TOO_TIGHT = { InstructionError: [0, 'ComputationalBudgetExceeded'] };

/** A transaction that needs almost all of its units may fail where it lands. */
function tightnessOf(
  bundle: readonly { readonly purpose: Purpose; readonly wire: Uint8Array }[],
  unitsConsumed: readonly number[],
): SimulationFailure | undefined {
  const wires = bundle.map(({ wire }) => wire);
  const tight = findTight(wires, unitsConsumed);
  if (!tight) return undefined;
  const purpose = bundle[tight.index]?.purpose;
  return {
    words: chainRefusal(launchStepOf(purpose), TOO_TIGHT),
    detail: `${purpose} would take ${tight.unitsConsumed} of ${tight.unitLimit} compute units`,
  };
}
