import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ObservationDeps, observeHolders, takeSnapshot } from '../../activities/reward/snapshots.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import * as tokens from '../../db/tokens.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

const OPENED_SLOT = 1_000;
const SLOT_MS = 400;
const HASH = PublicKey.default.toBase58();

/** By this id and that blockhash 166, 82 and 83 slots into the three parts of 300. */
const ROUND_ID = '00000000-0000-4000-8000-000000000000';

let round: RewardRound;
let finalSlot: number;
let asked: { heads: number; scans: number; refused: number };
/** The accounts that were asked for, and what is answered about them. */
let questions: (readonly string[] | undefined)[];
let held: readonly string[] | null;
beforeEach(async () => {
  const { mint } = await market.launch(rewardFacts(100));
  await market.db().deleteFrom('rewardRounds').execute();
  await rewardRounds.plan(market.db(), { id: ROUND_ID, mint, number: 1, openedSlot: BigInt(OPENED_SLOT) });
  round = (await rewardRounds.byId(market.db(), ROUND_ID))!;
  finalSlot = OPENED_SLOT;
  asked = { heads: 0, scans: 0, refused: 0 };
  [questions, held] = [[], []];
});

/** A chain that is at `finalSlot`, at an even pace. */
const deps = (): ObservationDeps => ({
  db: market.db(),
  logger: pino({ level: 'silent' }),
  now: () => new Date(round.plannedAt.getTime() + (finalSlot - OPENED_SLOT) * SLOT_MS),
  prices: { usd: () => Promise.resolve({ usd: '1', source: 'fixed', observedAt: new Date() }) },
  rewards: { snapshotWindowSlots: 900 },
  rpc: {
    finalHead() {
      asked.heads += 1;
      return Promise.resolve({ slot: finalSlot, blockhash: HASH });
    },
    blockAt: () => Promise.reject(new Error('no block is asked for')),
    agreedHolders({ minContextSlot, accounts, withTax }) {
      if (finalSlot < minContextSlot) {
        asked.refused += 1;
        return Promise.reject(new RpcUnavailableError('Minimum context slot has not been reached'));
      }
      asked.scans += 1;
      questions.push(accounts);
      expect(withTax).toBe(accounts !== undefined || asked.scans === 3);
      return Promise.resolve({ balances: new Map([['owner', 7n]]), slot: finalSlot, disputed: 0, withheld: [], held });
    },
  },
});

/** Goes on until one more observation is there. */
async function observeNext(): Promise<void> {
  const before = questions.length;
  for (let wait = await observeHolders(deps(), round); wait && questions.length === before;) {
    finalSlot += Math.ceil(wait.ms / SLOT_MS);
    wait = await observeHolders(deps(), round, wait.slot);
  }
  expect(questions).toHaveLength(before + 1);
}

function accountOf(mint: string, owner: string): string {
  const [one, other] = [new PublicKey(mint), new PublicKey(owner)];
  return getAssociatedTokenAddressSync(one, other, true, TOKEN_2022_PROGRAM_ID).toBase58();
}

async function expectObserved(): Promise<void> {
  const all = await rewardSnapshots.ofRound(market.db(), ROUND_ID);
  expect(all.map(({ n }) => n)).toEqual([0, 1, 2]);
  for (const { slot, readSlot } of all) expect(readSlot).toBeGreaterThanOrEqual(slot);
}

describe('the observations of a round', () => {
  it('take a look each to draw and one to read, which asks for nothing but the balances', async () => {
    let looks = 1;
    for (let wait = await observeHolders(deps(), round); wait; looks += 1) {
      finalSlot += Math.floor(wait.ms / SLOT_MS);
      wait = await observeHolders(deps(), round, wait.slot);
    }
    expect({ looks, ...asked }).toEqual({ looks: 6, heads: 3, scans: 3, refused: 0 });
    await expectObserved();
  });

  it('ask for the accounts that the ones before found, besides the vault and the creator’s', async () => {
    const { mint, creator } = (await tokens.byMint(market.db(), round.mint))!;
    const creators = accountOf(mint, creator);
    const [first, second, third] = [address(), address(), address()];
    held = [first];
    await observeNext();
    held = [second];
    await heldAccounts.note(market.db(), [{ mint, account: third, slot: 2 ** 31 }]);
    await observeNext();
    await observeNext();
    expect(questions.map((accounts) => accounts?.toSorted())).toEqual([
      [creators],
      [creators, first, third].toSorted(),
      [creators, first, second, third].toSorted(),
    ]);
  });

  it('search without asking for accounts where there are too many, until there are fewer again', async () => {
    held = null;
    await observeNext();
    await heldAccounts.note(market.db(), [{ mint: round.mint, account: address(), slot: 1 }]);
    held = ['small again'];
    await observeNext();
    expect(questions.slice(1)).toEqual([undefined]);
    expect(await heldAccounts.known(market.db(), round.mint)).toBeNull();
    await observeNext();
    expect(questions.slice(2)).toEqual([undefined]);
    expect(await heldAccounts.known(market.db(), round.mint)).toEqual(['small again']);
  });

  it('forget accounts that were emptied where there are many, and none that was told of later', async () => {
    const emptied = Array.from({ length: 496 }, (_, index) => ({ mint: round.mint, account: `a${index}`, slot: 1 }));
    await heldAccounts.note(market.db(), [...emptied, { mint: round.mint, account: 'later', slot: 2 ** 31 }]);
    held = ['a7'];
    await observeNext();
    expect((await heldAccounts.known(market.db(), round.mint))!.toSorted()).toEqual(['a7', 'later']);
  });

  it('are not read before the drawn slot is final, though it was waited for, and the wait becomes shorter', async () => {
    const drawn = await observeHolders(deps(), round);
    finalSlot = drawn!.slot - 5;
    const rest = await observeHolders(deps(), round, drawn!.slot);
    expect(rest!.slot).toBe(drawn!.slot);
    expect(rest!.ms).toBeLessThan(drawn!.ms);
    expect(asked).toEqual({ heads: 2, scans: 0, refused: 1 });
    finalSlot = drawn!.slot;
    const next = await observeHolders(deps(), round, rest!.slot);
    expect(next!.slot).toBe(OPENED_SLOT + 300);
    expect(asked).toEqual({ heads: 2, scans: 1, refused: 1 });
  });

  it('wait for the head where nobody has waited for the drawn slot', async () => {
    const drawn = await observeHolders(deps(), round);
    expect((await observeHolders(deps(), round))!.slot).toBe(drawn!.slot);
    expect(asked).toEqual({ heads: 2, scans: 0, refused: 0 });
  });

  it('that nobody answers about are tried again', async () => {
    const drawn = await observeHolders(deps(), round);
    finalSlot = drawn!.slot;
    const own = deps();
    const mute = { ...own, rpc: { ...own.rpc, agreedHolders: () => Promise.reject(new RpcUnavailableError('away')) } };
    await expect(observeHolders(mute, round, drawn!.slot)).rejects.toThrow('away');
    expect((await observeHolders(own, round, drawn!.slot))!.slot).toBe(OPENED_SLOT + 300);
  });

  it('of a run that began before one step saw to all of them are made one by one', async () => {
    for (let n = 0; n < 3; n++)
      for (let ms = await takeSnapshot(deps(), round, n); ms > 0; ms = await takeSnapshot(deps(), round, n))
        finalSlot += Math.floor(ms / SLOT_MS);
    await expectObserved();
    expect(await takeSnapshot(deps(), round, 0)).toBe(0);
    expect(asked.scans).toBe(3);
  });
});
