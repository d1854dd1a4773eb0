import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { deriveLaunchAddresses } from '../../chain/keys/launch-keys.ts';
import { searchMint } from '../../chain/keys/mint-search.ts';
import { startMintSearch } from '../../chain/keys/start-mint-search.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import { fillSuffixedPool, keepSuffixedPoolFilled, type SuffixedPoolDeps } from '../../worker/launch/suffixed-pool.ts';
import { eventually } from '../support/platform/eventually.ts';
import { useDatabase } from '../support/db/use-database.ts';

const context = { genesisHash: 'genesis', environment: 'test' };
const seed = { id: 'seed-1', secret: new Uint8Array(32).fill(7) };
const never = new AbortController().signal;
const { db } = useDatabase();

beforeEach(async () => {
  await db().deleteFrom('launchAddresses').execute();
});

const derive = (quoteId: string): DerivedAddresses => {
  return { quoteId, seedId: seed.id, genesisHash: 'genesis', addresses: deriveLaunchAddresses(seed, context, quoteId) };
};

function pool(suffix: string, changes: Partial<SuffixedPoolDeps> = {}): SuffixedPoolDeps {
  return {
    suffix,
    countFree: () => launchAddresses.countFree(db(), seed.id, suffix),
    addFree: async (row) => void (await launchAddresses.addFree(db(), [row], suffix)),
    derive,
    startSearch: (signal) => startMintSearch({ secret: seed.secret, context, suffix, cpuPercent: 100 }, signal),
    logger: pino({ level: 'silent' }),
    checkEveryMs: 20,
    ...changes,
  };
}

async function takeAll(): Promise<DerivedAddresses[]> {
  const taken = await launchAddresses.takeOne(db(), {});
  return taken === null ? [] : [taken, ...(await takeAll())];
}

function suffixed(count: number): DerivedAddresses[] {
  return Array.from({ length: count }, () => {
    const quoteId = searchMint({ secret: seed.secret, context, suffix: 'w' }, () => false);
    return derive(quoteId ?? '');
  });
}

describe('the pool of launch addresses with a suffix', () => {
  it('is filled by the thread up to its target, with mints that end in the suffix and follow from seed and quote id', async () => {
    const deps = pool('w', { target: 5 });
    await using search = deps.startSearch(never);
    await fillSuffixedPool(deps, search, never);
    const taken = await takeAll();
    expect(taken).toHaveLength(5);
    for (const { quoteId, addresses } of taken) {
      expect(addresses).toEqual(deriveLaunchAddresses(seed, context, quoteId));
      expect(addresses.mint).toMatch(/w$/);
    }
  });

  it('is refilled while the worker runs, also after the thread failed, and ends at the signal', async () => {
    let starts = 0;
    const broken = pool('w', { target: 2 });
    const deps = pool('w', {
      target: 2,
      retryMs: 1,
      startSearch: (signal) => {
        if (starts++ === 0) throw new Error('no thread');
        return broken.startSearch(signal);
      },
    });
    const stop = new AbortController();
    const running = keepSuffixedPoolFilled(deps, stop.signal);
    await eventually(async () => (await deps.countFree()) === 2 || null, 'a full pool');
    await launchAddresses.takeOne(db(), {});
    await eventually(async () => (await deps.countFree()) === 2 || null, 'a full pool again');
    stop.abort();
    await running;
  });

  it('stops a search that finds nothing at the signal', async () => {
    const stop = new AbortController();
    const running = keepSuffixedPoolFilled(pool('zzzz'), stop.signal);
    stop.abort();
    await running;
    expect(await launchAddresses.countFree(db(), seed.id, 'zzzz')).toBe(0);
  });

  it('refuses an address that the search gave without the suffix', async () => {
    const wrong = { next: () => Promise.resolve(randomUUID()), [Symbol.asyncDispose]: () => Promise.resolve() };
    await expect(fillSuffixedPool(pool('zzzz', { target: 1 }), wrong, never)).rejects.toThrow('not one in zzzz');
    await expect(launchAddresses.addFree(db(), [derive(randomUUID())], 'zzzz')).rejects.toThrow(
      'mint_ends_in_mint_suffix',
    );
  });
});

describe('a launch', () => {
  it('takes an address with the suffix before older ones without', async () => {
    const [plain, marked] = [derive(randomUUID()), suffixed(1)[0]!];
    await launchAddresses.addFree(db(), [plain]);
    await launchAddresses.addFree(db(), [marked], 'w');
    expect(await launchAddresses.takeOne(db(), {})).toEqual(marked);
  });

  it('takes one without the suffix at once where none with it is free', async () => {
    const plain = derive(randomUUID());
    await launchAddresses.addFree(db(), [plain]);
    expect(await launchAddresses.takeOne(db(), {})).toEqual(plain);
  });

  it('shares its address with no other one that is prepared at the same moment', async () => {
    await launchAddresses.addFree(db(), suffixed(10), 'w');
    await launchAddresses.addFree(
      db(),
      Array.from({ length: 10 }, () => derive(randomUUID())),
    );
    const taken = await Promise.all(Array.from({ length: 20 }, () => launchAddresses.takeOne(db(), {})));
    expect(new Set(taken.map((row) => row?.addresses.mint)).size).toBe(20);
    expect(taken).not.toContain(null);
  });

  it('gets no address with the suffix of before once the operator changed it', async () => {
    const plain = derive(randomUUID());
    await launchAddresses.addFree(db(), suffixed(2), 'w');
    await launchAddresses.addFree(db(), [plain]);
    expect(await launchAddresses.discardOtherSuffixes(db(), 'w')).toBe(0);
    expect(await launchAddresses.discardOtherSuffixes(db(), 'up')).toBe(2);
    expect(await takeAll()).toEqual([plain]);
  });
});

describe.runIf(process.platform === 'linux' && getPriority() < 19)('the search', () => {
  it('runs in a thread of lowest priority, and leaves all other threads theirs', async () => {
    const priorities = () => {
      const threads = readdirSync('/proc/self/task');
      return threads.map((id) =>
        Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
      );
    };
    const low = () => priorities().filter((nice) => nice === 19).length;
    const before = low();
    await using search = startMintSearch({ secret: seed.secret, context, suffix: 'w', cpuPercent: 100 }, never);
    await search.next();
    expect(low()).toBe(before + 1);
  });
});
