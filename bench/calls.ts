import { Command } from 'commander';
import type { Variables } from '../config/environment.ts';
import { endWorker, LAUNCHES_COUNTED, quietRuntime, withCountedWorker } from './calls/fixture.ts';
import { measureLaunches } from './calls/launches.ts';
import { measureMovements } from './calls/movements.ts';
import { describe, type Measured } from './calls/report.ts';
import { withOwnStack } from './own-stack.ts';
import { createRig, type Rig } from './launch-latency/rig.ts';

type Options = { readonly json?: true };

/** One, or two that a quorum asks. */
const ENDPOINTS = [1, 2] as const;
const MOVEMENTS = [1, 20] as const;
const LAUNCHES = [1, 10] as const;

const WARM_UP = 1;

async function measure({ json }: Options): Promise<void> {
  quietRuntime();
  const all = await withOwnStack(async (own) => {
    const launches = ENDPOINTS.length * (WARM_UP + LAUNCHES.reduce((sum, count) => sum + count, 0));
    const rig = await createRig(own, 2 * launches);
    try {
      const variables = await endWorker(own);
      const measured: Measured[] = [];
      for (const endpoints of ENDPOINTS) measured.push(...(await measureWith(variables, rig, endpoints)));
      return measured;
    } finally {
      await rig.close();
    }
  });
  console.log(json === true ? JSON.stringify({ bench: 'calls', measured: all }) : describe(all));
}

function measureWith(variables: Variables, rig: Rig, endpoints: number): Promise<Measured[]> {
  return withCountedWorker(variables, endpoints, LAUNCHES_COUNTED, async (ground) => {
    const measured: Measured[] = [];
    for (const inFlight of MOVEMENTS) measured.push(await measureMovements(ground, inFlight));
    await measureLaunches(ground, rig, WARM_UP);
    for (const atOnce of LAUNCHES) measured.push(await measureLaunches(ground, rig, atOnce));
    return measured;
  });
}

await new Command('node bench/calls.ts')
  .description(
    'Counts what a worker asks of RPC endpoints and of its database for a movement of money and for a launch, each until it\n' +
      'is final: on a stack of its own whose worker is this process, with one endpoint and with two. About 4 minutes.',
  )
  .option('--json', 'print the figures as one line of JSON')
  .action(measure)
  .parseAsync();
