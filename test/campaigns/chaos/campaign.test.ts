import { afterAll, beforeAll, expect, it } from 'vitest';
import { PublicKey } from '@solana/web3.js';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { createCreator } from '../../support/platform/creator.ts';
import { type Arena, startArena } from './arena.ts';
import { judge } from './chain-verdict.ts';
import { playRound } from './round.ts';
import { report, ROUND_SEEDS } from './settings.ts';

let arena: Arena;
beforeAll(async () => {
  arena = await startArena();
});
afterAll(() => arena.close());

it.each(ROUND_SEEDS)(
  'launches survive the faults of seed %s: charged once for one token, given back, or not at all',
  async (seed) => {
    const began = Date.now();
    const round = await playRound(arena, seed);
    report({ ...round, ms: Date.now() - began });
    const broken = round.results.filter(({ problems }) => problems.length > 0);
    expect(broken, `seed ${seed}: ${round.faults.join(' + ')}`).toEqual([]);
  },
);

it('the judge tells a creator who paid twice from one who paid once', async () => {
  const creator = await createCreator(arena.platform);
  const before = await creator.balance();
  const { prepared } = await creator.launchToEnd();
  const quoteMint = SEED_PAIRS[0]?.mint ?? PublicKey.default;
  const launch = { creator: creator.address, prepared, quoteMint, feeKeyTo: creator.address };
  const { due, problems } = await judge(arena.chain, { before, ...launch });
  expect(problems).toEqual([]);
  const twice = await judge(arena.chain, { before: before + due, ...launch });
  expect(twice.problems).toEqual([`launched, but the creator paid ${2 * due} lamports instead of ${due}`]);
});
