import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { searchMint } from '../chain/keys/mint-search.ts';
import { connect, type Db } from '../db/connect.ts';
import { createRig } from './launch-latency/rig.ts';
import { type Burst, burst, type Side } from './launch-load/side.ts';
import { withOwnStack } from './own-stack.ts';
import { median } from './statistics.ts';
import { wholeNumber } from './whole-number.ts';

/** Two letters: the pool of 200 is not full within the run, and a search under way ends within seconds. */
const SUFFIX = 'zz';

/** More than the worker keeps ready. */
const FULL = 250;

/** Genesis hash of addresses that only fill the pool. */
const FILLER = 'bench';

/** Four times what a search of two letters takes on a quarter of a core, ms. */
const SEARCH_ENDS_MS = 10_000;

const TRIES = 20_000;

interface Options {
  readonly rounds: number;
  readonly atOnce: number;
  readonly costs?: true;
}

async function measure({ rounds, atOnce, costs }: Options): Promise<void> {
  printCosts();
  if (costs === true) return;
  await withOwnStack(
    async (own) => {
      const db = connect(own.stack.databaseUrl, { applicationName: 'bench', maxConnections: 1 });
      const rig = await createRig(own, (rounds + 1) * 2 * (atOnce + 1));
      const side: Side = { name: 'here', own, rig };
      try {
        await burst(side, atOnce);
        const found = [];
        for (let round = 0; round < rounds; round++) {
          const [first, second] = round % 2 === 0 ? [true, false] : [false, true];
          found.push(await measureOnce(side, db, atOnce, first), await measureOnce(side, db, atOnce, second));
          process.stderr.write(`round ${round + 1} of ${rounds}\n`);
        }
        printRatio(found, atOnce);
      } finally {
        await rig.close();
        await db.destroy();
      }
    },
    { variables: { LAUNCH_MINT_SUFFIX: SUFFIX } },
  );
}

/** CPU per address: measured per try, times the tries that a suffix takes on average. */
function printCosts(): void {
  const input = { secret: new Uint8Array(32).fill(7), context: { genesisHash: 'bench', environment: 'bench' } };
  let tries = 0;
  const before = process.cpuUsage();
  searchMint({ ...input, suffix: '0' }, () => tries++ >= TRIES);
  const { user, system } = process.cpuUsage(before);
  const microseconds = (user + system) / TRIES;
  console.log(`one try: ${microseconds.toFixed(0)} µs of CPU`);
  for (const letters of [1, 2, 3, 4]) {
    const seconds = (58 ** letters * microseconds) / 1_000_000;
    console.log(`${letters} letters: ${58 ** letters} tries, ${seconds.toPrecision(2)} s of CPU an address on average`);
  }
}

interface Sample {
  readonly isSearching: boolean;
  readonly alone: Burst;
  readonly together: Burst;
}

async function measureOnce(side: Side, db: Db, atOnce: number, isSearching: boolean): Promise<Sample> {
  const once = async (count: number) => {
    const measured = await burst(side, count, isSearching ? undefined : () => stopSearch(db));
    if (!isSearching) await db.deleteFrom('launchAddresses').where('genesisHash', '=', FILLER).execute();
    return measured;
  };
  return { isSearching, alone: await once(1), together: await once(atOnce) };
}

/** Fills the pool with addresses that no prepare takes during the burst, then waits for the search under way. */
async function stopSearch(db: Db): Promise<void> {
  const { seedId } = await db.selectFrom('launchAddresses').select('seedId').limit(1).executeTakeFirstOrThrow();
  const rows = Array.from({ length: FULL }, () => {
    const id = randomUUID();
    const addresses = { launchWallet: id, mint: `${id}${SUFFIX}`, positionMints: [id, id], feeKeyMints: [id, id] };
    return { quoteId: id, seedId, genesisHash: FILLER, mintSuffix: SUFFIX, ...addresses };
  });
  await db.insertInto('launchAddresses').values(rows).execute();
  await sleep(SEARCH_ENDS_MS);
}

function printRatio(samples: readonly Sample[], atOnce: number): void {
  for (const [name, of] of [
    ['one launch, submit → completed', ({ alone }: Sample) => alone.launchMs],
    [`${atOnce} at once, submit → completed`, ({ together }: Sample) => together.launchMs],
  ] as const) {
    const [on, off] = [true, false].map((wanted) => {
      return median(samples.filter(({ isSearching }) => isSearching === wanted).flatMap(of));
    });
    if (on === undefined || off === undefined) throw new Error('no round was measured');
    console.log(
      `${name}: ${on.toFixed(0)} ms while searching, ${off.toFixed(0)} ms while not: ${(on / off).toFixed(2)}`,
    );
  }
}

const parseCount = wholeNumber(1, 100);

await new Command('node bench/mint-suffix.ts')
  .description(
    'CPU of a mint address with 1 to 4 chosen letters. Then launches one by one and many at once, in turn while the worker\n' +
      'searches addresses and while it does not.',
  )
  .option('--rounds <number>', 'how often each is measured', parseCount, 5)
  .option('--at-once <number>', 'launches of a burst', parseCount, 12)
  .option('--costs', 'only the CPU of an address')
  .action(measure)
  .parseAsync();
