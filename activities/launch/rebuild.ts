import { buildLaunchSteps, type LaunchTransaction } from '../../chain/launch/bundle.ts';
import { UnknownError } from '../../chain/rpc/absence.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import * as launches from '../../db/launch/launches.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { LAUNCH_STEPS, launchPurpose, type Purpose } from '../../domain/purpose.ts';
import { bundleFees, launchKeysOf } from './assemble.ts';
import { adoptBundle, readBundle } from './bundle-rows.ts';
import { storedTermsRefusal } from './authority/refusal-of.ts';
import type { LaunchDeps } from './deps.ts';
import { simulationFailure } from './simulate.ts';

/** Signs the missing rest again. Parks the launch if it cannot, or after too many tries. */
export async function rebuildRest(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'resuming') return;
  const { quoteId } = launch;
  const refusal = storedTermsRefusal(deps, launch, 'rest');
  if (refusal !== undefined) return park(deps, quoteId, refusal);
  const forgotten = await adoptOrExplain(deps, launch);
  if (forgotten !== undefined) return park(deps, quoteId, forgotten);
  const live = new Set((await readBundle(deps.db, quoteId)).map((row) => row.purpose));
  // A fork reverted the payment and it expired: `landing` settles the rest.
  if (!live.has(launchPurpose(quoteId, 1))) return landAgain(deps, quoteId);
  if (live.size === LAUNCH_STEPS.length) return landAgain(deps, quoteId);
  const attempt = 1 + (await attemptsSoFar(deps, quoteId));
  if (attempt > 1 + (await triesAllowed(deps, quoteId))) {
    return park(deps, quoteId, `the rest of the bundle did not land in ${attempt - 1} tries`);
  }
  const rest = await signConfirmedRest(deps, launch, live);
  if (typeof rest === 'string') return park(deps, quoteId, rest);
  await persistRest(deps, quoteId, attempt, rest);
}

/**
 * Books what landed. Returns why no endpoint can ever say what landed, usually undefined; then nothing may be signed,
 * because older bytes may have landed.
 */
async function adoptOrExplain(deps: LaunchDeps, launch: LaunchRecord): Promise<string | undefined> {
  try {
    await adoptBundle(deps, launch);
    return undefined;
  } catch (error) {
    if (error instanceof UnknownError && error.isForgotten)
      return `it cannot be said what landed of the bundle: ${error.message}`;
    throw error;
  }
}

/** For a launch of which the chain has the whole bundle, or not even the payment. */
async function landAgain(deps: LaunchDeps, quoteId: string): Promise<void> {
  await transitionLaunch(deps.db, quoteId, ['resuming'], 'landing');
}

async function attemptsSoFar(deps: LaunchDeps, quoteId: string): Promise<number> {
  const last = await chainTransactions.attemptsOf(deps.db, launchPurpose(quoteId, 4));
  return last.at(-1)?.attempt ?? 0;
}

/**
 * Each decision to resume allows `resumeTries` more tries, and at least one. So `resumeTries` 0 stops only the tries
 * that no operator decided.
 */
async function triesAllowed(deps: LaunchDeps, quoteId: string): Promise<number> {
  const states = (await launches.history(deps.db, quoteId)).map(({ state }) => state);
  const resumed = states.filter((state, index) => state === 'resuming' && states[index - 1] === 'needs_recovery');
  const { resumeTries } = deps.settings;
  return resumeTries + resumed.length * Math.max(1, resumeTries);
}

async function park(deps: LaunchDeps, quoteId: string, blockedReason: string): Promise<void> {
  await transitionLaunch(deps.db, quoteId, ['resuming'], 'needs_recovery', { blockedReason });
  deps.logger.error({ blockedReason }, 'launch needs an operator');
}

interface SignedRest {
  readonly transactions: LaunchTransaction[];
  readonly blockhash: string;
  readonly blockhashSlot: bigint;
  readonly lastValidBlockHeight: bigint;
}

/** If the rest cannot be built from one endpoint's responses, builds it from another's before the launch is parked. */
async function signConfirmedRest(
  deps: LaunchDeps,
  launch: LaunchRecord,
  live: ReadonlySet<Purpose>,
): Promise<SignedRest | string> {
  const preference = deps.rpc.preference();
  const rest = await signRest(deps, launch, live);
  if (typeof rest !== 'string' || deps.rpc.quorum === 1) return rest;
  deps.logger.warn({ refusal: rest }, 'the rest of the bundle is built once more of what another endpoint says');
  deps.rpc.preferOtherEndpoint(preference);
  return signRest(deps, launch, live);
}

async function signRest(
  deps: LaunchDeps,
  launch: LaunchRecord,
  live: ReadonlySet<Purpose>,
): Promise<SignedRest | string> {
  const { blockhash, lastValidBlockHeight, slot } = await deps.rpc.agreedBlockhash();
  const steps = await buildOrExplain(deps, launch, blockhash);
  if (typeof steps === 'string') return steps;
  const transactions = steps.filter(({ purpose }) => !live.has(purpose));
  const failure = await simulationFailure(deps, transactions);
  if (failure !== undefined) return failure.detail;
  return { transactions, blockhash, blockhashSlot: BigInt(slot), lastValidBlockHeight: BigInt(lastValidBlockHeight) };
}

/** Returns why it can no longer be built (changed rates or sizes), which an operator decides. Other failures rise. */
async function buildOrExplain(deps: LaunchDeps, { terms }: LaunchRecord, blockhash: string) {
  const fees = await bundleFees(deps, terms, blockhash);
  try {
    return await buildLaunchSteps(deps.builder, terms, launchKeysOf(deps, terms), fees);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `the rest of the bundle cannot be built: ${error.message}`;
  }
}

async function persistRest(deps: LaunchDeps, quoteId: string, attempt: number, rest: SignedRest): Promise<void> {
  const { blockhash, blockhashSlot, lastValidBlockHeight } = rest;
  await transaction(deps.db, async (tx) => {
    const { outcome } = await insertSigned(
      tx,
      rest.transactions.map(({ purpose, signature, wire }) => ({
        purpose,
        signature,
        wire,
        attempt,
        blockhash,
        blockhashSlot,
        lastValidBlockHeight,
      })),
    );
    // Never send bytes that the ledger did not accept.
    if (outcome === 'conflict') throw new Error(`the rest of launch ${quoteId} was signed by another run`);
    const moved = await transitionLaunch(tx, quoteId, ['resuming'], 'landing');
    // Roll back: a launch parked or refunded meanwhile must not get bytes that could land.
    if (!moved) throw new Error(`launch ${quoteId} does not resume any more`);
  });
  deps.logger.warn({ attempt, signatures: rest.transactions.map(({ signature }) => signature) }, 'rest signed again');
}
