import { WorkflowNotFoundError } from '@temporalio/client';
import { launchWorkflowId } from '../../../../workflows/messages/launch.ts';
import { signedAnew } from '../../../support/platform/second-signature.ts';
import type { Contender } from '../contender.ts';
import { type Fault, nothingToMend, type Scene } from './fault.ts';

/** What happens to the platform's own processes, to Temporal's memory, and what clients do on top. */
export const PROCESS_FAULTS: readonly Fault[] = [
  { name: 'worker crashes', strike: crashWorker },
  { name: 'answers of steps are lost', strike: loseAnswers },
  { name: 'workflows are terminated', strike: (scene) => forEachWorkflow(scene, terminate) },
  { name: 'Temporal forgets every launch', everyRun: true, strike: (scene) => forEachWorkflow(scene, forget) },
  { name: 'clients repeat their submits', strike: repeatSubmits },
];

/** Running steps are cut off without an answer; the next worker comes at once. */
async function crashWorker({ arena: { platform } }: Scene) {
  await platform.worker.stop();
  await platform.worker.start();
  return nothingToMend;
}

/** Steps in which a launch can lose a worker after the work was done. */
export const STEPS = [
  'openLaunch',
  'assembleBundle',
  'simulateBundle',
  'storeMetadata',
  'landBundle',
  'rebuildRest',
  'recordLaunch',
  'finalizeLaunch',
  'refundLaunch',
  'resolveLaunch',
] as const;

function loseAnswers({ arena: { platform }, random }: Scene) {
  for (const step of STEPS) if (random.oneIn(2)) platform.gate.loseAnswer(step, 1 + random.below(2));
  return () => STEPS.forEach((step) => platform.gate.loseAnswer(step, 0));
}

async function forEachWorkflow(scene: Scene, act: (scene: Scene, workflowId: string) => Promise<unknown>) {
  for (const { prepared } of scene.contenders) {
    // A launch whose workflow has not begun, or is over, has nothing to lose.
    await act(scene, launchWorkflowId(prepared.quoteId)).catch(ignoreMissing);
  }
  return () => scene.arena.runJanitor();
}

function terminate({ arena }: Scene, workflowId: string): Promise<unknown> {
  return arena.platform.client.workflow.getHandle(workflowId).terminate('chaos');
}

/** The run is gone with its history, as if the namespace had been lost. */
function forget({ arena: { platform } }: Scene, workflowId: string): Promise<unknown> {
  const { client, temporal } = platform;
  return client.workflowService.deleteWorkflowExecution({
    namespace: temporal.namespace,
    workflowExecution: { workflowId },
  });
}

function ignoreMissing(error: unknown): void {
  const isMissing =
    error instanceof WorkflowNotFoundError ||
    (error instanceof Error && /not found|already completed/i.test(error.message));
  if (!isMissing) throw error;
}

/** Impatient clients: the same submit again, and the same message signed a second time. */
function repeatSubmits({ contenders }: Scene) {
  const repeats = contenders.flatMap((contender) =>
    [contender.submission, anew(contender)].map((again) => repeat(contender, again)),
  );
  return async () => void (await Promise.all(repeats));
}

function anew({ creator, prepared, submission }: Contender) {
  return { ...submission, signedTransaction: signedAnew(prepared.paymentTransaction, creator.keypair) };
}

async function repeat({ creator, log }: Contender, submission: Contender['submission']): Promise<void> {
  log.note(await creator.submit(submission));
}
