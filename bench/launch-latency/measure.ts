import { setTimeout as sleep } from 'node:timers/promises';
import { LANDING } from '../../worker/shared.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { buildBareBundle, prepareLaunch } from './prepare.ts';
import type { Rig } from './rig.ts';
import { type LaunchTimeline, timelineOf } from './timeline.ts';

/** ms, from the same offset within a slot. */
export interface Round {
  readonly launchMs: number;
  readonly bareMs: number;
  readonly timeline: LaunchTimeline;
}

const SLOT_MS = 400;
const SLOT_POLL_MS = 10;
const GIVE_UP_MS = 30_000;

export async function runRounds(rig: Rig, rounds: number, signal: AbortSignal): Promise<Round[]> {
  const results: Round[] = [];
  for (let index = 0; index < rounds; index++) {
    signal.throwIfAborted();
    const offsetMs = (SLOT_MS * (index + 0.5)) / rounds;
    results.push(await runRound(rig, offsetMs, index % 2 === 0));
    process.stderr.write(`round ${index + 1} of ${rounds}\n`);
  }
  return results;
}

/** @param offsetMs after a slot's beginning */
export async function runRound(rig: Rig, offsetMs: number, launchFirst: boolean): Promise<Round> {
  if (launchFirst) return { ...(await measureLaunch(rig, offsetMs)), bareMs: await measureBare(rig, offsetMs) };
  const bareMs = await measureBare(rig, offsetMs);
  return { ...(await measureLaunch(rig, offsetMs)), bareMs };
}

async function measureLaunch(rig: Rig, offsetMs: number): Promise<Omit<Round, 'bareMs'>> {
  const { quoteId, ...submission } = await prepareLaunch(rig);
  await untilInSlot(rig, offsetMs);
  const begunAt = performance.now();
  const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
  const endedAt = performance.now();
  if (status !== 'completed') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  const history = await rig.temporal.workflow.getHandle(launchWorkflowId(quoteId)).fetchHistory();
  const [from, to] = [performance.timeOrigin + begunAt, performance.timeOrigin + endedAt];
  return { launchMs: endedAt - begunAt, timeline: timelineOf(history, from, to) };
}

async function measureBare(rig: Rig, offsetMs: number): Promise<number> {
  const { wires, signatures } = await buildBareBundle(rig, await prepareLaunch(rig));
  await untilInSlot(rig, offsetMs);
  const begunAt = performance.now();
  await rig.relay.sendBundle(wires);
  while (!(await isConfirmed(rig, signatures))) {
    if (performance.now() - begunAt > GIVE_UP_MS) throw new Error(`bundle of ${signatures[0]} was not confirmed`);
    await sleep(LANDING.pollMs);
  }
  return performance.now() - begunAt;
}

async function isConfirmed({ rpc }: Rig, signatures: readonly string[]): Promise<boolean> {
  const statuses = await rpc.signatureStatuses(signatures);
  const failed = statuses.find((status) => status !== null && status.err !== null);
  if (failed) throw new Error(`a transaction of the bare bundle failed: ${JSON.stringify(failed.err)}`);
  return statuses.every((status) => status !== null && status.commitment !== 'processed');
}

/** Then `offsetMs`. */
async function untilInSlot({ rpc }: Rig, offsetMs: number): Promise<void> {
  const slotNow = () => rpc.connection.getSlot('processed');
  const before = await slotNow();
  while ((await slotNow()) === before) await sleep(SLOT_POLL_MS);
  await sleep(offsetMs);
}
