import type { Resolution } from '../../domain/launch/operator-decision.ts';
import { assembleBundle } from './assemble.ts';
import type { LaunchDeps } from './deps.ts';
import { type LaunchFacts, readFacts, readLaunch } from './facts.ts';
import { finalizeLaunch } from './finalize.ts';
import { landBundle } from './land.ts';
import { rebuildRest } from './rebuild.ts';
import { recordLaunch } from './record.ts';
import { refundLaunch } from './refund.ts';
import { resolveLaunch } from './resolve.ts';
import { simulateBundle } from './simulate.ts';
import { storeAndSend } from './store-metadata.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';

export type { LaunchFacts } from './facts.ts';
export { launchKeysOf } from './assemble.ts';
export type { LaunchDeps } from './deps.ts';

export type LaunchActivities = ReturnType<typeof createLaunchActivities>;

/** Each activity is idempotent. */
export function createLaunchActivities(deps: LaunchDeps) {
  const step = (name: string, run: (deps: LaunchDeps, launch: LaunchRecord) => Promise<void>) => {
    return (quoteId: string): Promise<LaunchFacts> =>
      whileBeating(deps, async () => {
        const launch = await readLaunch(deps.db, quoteId);
        await run(withLaunchLogger(deps, launch, name), launch);
        return readFacts(deps.db, quoteId);
      });
  };
  return {
    /** First in every run, which never assumes a fresh start. */
    openLaunch: (quoteId: string) => whileBeating(deps, () => readFacts(deps.db, quoteId)),
    assembleBundle: step('assemble', assembleBundle),
    simulateBundle: step('simulate', simulateBundle),
    storeMetadata: step('metadata', storeAndSend),
    landBundle: step('land', landBundle),
    rebuildRest: step('resume', rebuildRest),
    recordLaunch: step('record', recordLaunch),
    finalizeLaunch: step('finalize', finalizeLaunch),
    refundLaunch: step('refund', refundLaunch),
    resolveLaunch: (quoteId: string, resolution: Resolution) =>
      step('resolve', (own, launch) => resolveLaunch(own, launch, resolution))(quoteId),
  };
}

/** Heartbeat interval, well below the workflow's heartbeat timeout. */
const BEAT_EVERY_MS = 2_000;

/** A dead worker is noticed within seconds, and the step repeated while the payment's blockhash is valid. */
async function whileBeating<T>({ heartbeat }: LaunchDeps, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(heartbeat, BEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

function withLaunchLogger(deps: LaunchDeps, launch: LaunchRecord, step: string): LaunchDeps {
  const { quoteId, mint, submittedSignature } = launch;
  const fields = { step, quoteId, mint, paymentSignature: submittedSignature, workflowId: `launch-${quoteId}` };
  return { ...deps, logger: deps.logger.child(fields) };
}
