import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemError } from '../dev/stack/process-table.ts';
import { benchCommand } from './bench-command.ts';
import { prepareLaunch } from './launch-latency/prepare.ts';
import { createRig, type Rig } from './launch-latency/rig.ts';
import { allBombs, bombard } from './logo-bombs/bombs.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { median } from './statistics.ts';
import { wholeNumber } from './whole-number.ts';

interface Options {
  readonly rounds: number;
  readonly perSecond: number;
  readonly json?: true;
}

const WARM_UP = 2;
const LEAD_MS = 1_000;
const MB = 1_000_000;

async function measure({ rounds, perSecond, json }: Options): Promise<void> {
  const report = await withOwnStack(async (own) => {
    const rig = await createRig(own, 2 * (rounds + WARM_UP));
    try {
      return await takingTurns(own, rig, { rounds, perSecond });
    } finally {
      await rig.close();
    }
  });
  console.log(json === true ? JSON.stringify(report) : JSON.stringify(report, null, 2));
}

/** Alternating: other load affects both. */
async function takingTurns(own: OwnStack, rig: Rig, { rounds, perSecond }: Options) {
  const bombs = await allBombs();
  const [quietMs, bombedMs]: [number[], number[]] = [[], []];
  const answers: Record<string, number> = {};
  const memory = { before: residentMb(own), most: 0 };
  for (let round = 0; round < WARM_UP + rounds; round++) {
    const quiet = await launchMs(rig);
    // Continues the previous round.
    const turned = bombs.map((_, index) => bombs[(index + round * 7) % bombs.length] ?? '');
    const stream = bombard((bomb) => prepareStatus(own, rig, bomb), turned, perSecond);
    await sleep(LEAD_MS);
    const bombed = await launchMs(rig);
    memory.most = Math.max(memory.most, residentMb(own));
    for (const [status, times] of Object.entries(await stream.stop())) answers[status] = (answers[status] ?? 0) + times;
    if (round >= WARM_UP) {
      quietMs.push(quiet);
      bombedMs.push(bombed);
    }
    process.stderr.write(
      `round ${round + 1}: ${Math.round(quiet)} ms quiet, ${Math.round(bombed)} ms beside pictures\n`,
    );
  }
  const [quiet, bombed] = [median(quietMs), median(bombedMs)];
  return {
    quietMs: Math.round(quiet),
    besidePicturesMs: Math.round(bombed),
    ratio: Number((bombed / quiet).toFixed(2)),
    picturesPerSecond: perSecond,
    answers,
    apiMemoryMb: memory,
  };
}

async function launchMs(rig: Rig): Promise<number> {
  const begun = performance.now();
  const { quoteId, ...submission } = await prepareLaunch(rig);
  const { status } = await rig.api.ask('POST /launches/submit', { body: { ...submission, logo: rig.wish.logo } });
  if (status !== 'completed') throw new Error(`launch ${quoteId} is ${status} and was to be completed`);
  return performance.now() - begun;
}

async function prepareStatus({ stack }: OwnStack, { wish }: Rig, logo: string): Promise<number> {
  const answer = await fetch(`${stack.apiUrl}/launches/prepare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...wish, logo }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** API and decoders, MB; 0 without /proc. */
function residentMb({ stack }: OwnStack): number {
  const api = stack.pidOf('api') ?? 0;
  const isOwn = (entry: string) => Number(entry) === api || parentOf(entry) === api;
  const members = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && isOwn(entry));
  return Math.round(members.reduce((sum, pid) => sum + Number(read(pid, 'statm').split(' ')[1] ?? 0) * 4_096, 0) / MB);
}

function parentOf(pid: string): number {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

await benchCommand('logo-bombs')
  .option('--rounds <number>', 'launches by themselves, each followed by one beside pictures', wholeNumber(1, 100), 12)
  .option('--per-second <number>', 'pictures that come in a second', wholeNumber(1, 100), 5)
  .action(measure)
  .parseAsync();
