import { createHash } from 'node:crypto';
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ObservationDeps, observeHolders } from '../../activities/reward/snapshots.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import * as tokens from '../../db/tokens.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { candidateSlots, isDrawn, MOST_LATE_SLOTS, windowAfter } from '../../domain/reward/draw.ts';
import type { OtherAccounts, OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';
import { address } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();

const [OPENED_SLOT, WINDOW_SLOTS, SLOT_MS] = [2_000, 3_000, 400];
const ROUND_ID = '00000000-0000-4000-8000-000000000000';

let round: RewardRound;
let finalSlot: number;
/** The accounts that were asked for, and what is answered about them. */
let questions: (readonly string[] | undefined)[];
let held: readonly string[] | null;
let otherAccounts: OtherAccountsByOwner;
beforeEach(async () => {
  const { mint } = await market.launch(rewardFacts(100));
  await market.db().deleteFrom('rewardRounds').execute();
  const window = windowAfter(OPENED_SLOT, WINDOW_SLOTS);
  const plan = { id: ROUND_ID, mint, number: 1, openedSlot: BigInt(OPENED_SLOT), window };
  await rewardRounds.plan(market.db(), plan);
  round = await present();
  finalSlot = OPENED_SLOT;
  [questions, held, otherAccounts] = [[], [], new Map()];
});

const present = async () => (await rewardRounds.byId(market.db(), ROUND_ID))!;

/** Leaders skip these slots, those of all candidates among them. */
const isSkipped = (slot: number) => slot % 8 < 3;

function blockFrom(first: number) {
  let slot = first;
  while (isSkipped(slot)) slot += 1;
  return { slot, blockhash: createHash('sha256').update(`block ${slot}`).digest('hex') };
}

/** The newest block that is final. */
function head(): number {
  let slot = finalSlot;
  while (isSkipped(slot)) slot -= 1;
  return slot;
}

/** A chain that is at `finalSlot`, at an even pace. */
const deps = (): ObservationDeps => ({
  db: market.db(),
  logger: pino({ level: 'silent' }),
  now: () => new Date(round.plannedAt.getTime() + (finalSlot - OPENED_SLOT) * SLOT_MS),
  rpc: {
    finalHead: () => Promise.resolve(head()),
    firstBlock: (slot) => Promise.resolve(blockFrom(slot)),
    agreedHolders({ minContextSlot, accounts, withTax, withOtherAccounts }) {
      if (finalSlot < minContextSlot) throw new RpcUnavailableError('Minimum context slot has not been reached');
      questions.push(accounts);
      expect(withTax).toBe(accounts !== undefined || questions.length === 3);
      expect(withOtherAccounts).toBe(true);
      const answers = { slot: finalSlot, slots: [finalSlot + 1, finalSlot], quorum: 2, disputed: 0 };
      return Promise.resolve({ ...answers, balances: new Map([['owner', 7n]]), withheld: [], held, otherAccounts });
    },
  },
});

/** The draws of a window as the rule has them. */
function drawsIn(windowSlot: number) {
  return [0, 1, 2].map((n) => {
    const slots = candidateSlots({ slot: windowSlot, slots: WINDOW_SLOTS }, n);
    const blocks = slots.map(blockFrom);
    const { slot, blockhash } = blocks.find((one) => isDrawn(one, round.mint, n, slots.length)) ?? blocks.at(-1)!;
    return { n, slot: BigInt(slot), blockhash };
  });
}

/** How many candidates were final before the drawn blocks were known. */
function candidatesUpTo(draws: ReturnType<typeof drawsIn>): number {
  const window = { slot: 3_000, slots: WINDOW_SLOTS };
  const places = draws.map(({ n, slot }) =>
    candidateSlots(window, n).findIndex((one) => BigInt(blockFrom(one).slot) === slot),
  );
  return places.reduce((sum, place) => sum + place + 1, 0);
}

const made = async () =>
  (await rewardSnapshots.ofRound(market.db(), ROUND_ID)).map(({ n, slot, blockhash }) => ({ n, slot, blockhash }));

/** Follows the round to the end of its observations; between two looks the chain moves on by at least so many slots. */
async function observeAll(atLeast = 0): Promise<number> {
  let looks = 1;
  for (let wait = await observeHolders(deps(), await present()); wait; looks += 1) {
    finalSlot += Math.max(atLeast, Math.floor(wait.ms / SLOT_MS));
    wait = await observeHolders(deps(), await present());
  }
  return looks;
}

/** Goes on until one more observation is there. */
async function observeNext(): Promise<void> {
  const before = questions.length;
  for (let wait = await observeHolders(deps(), await present()); wait && questions.length === before;) {
    finalSlot += Math.ceil(wait.ms / SLOT_MS);
    wait = await observeHolders(deps(), await present());
  }
  expect(questions).toHaveLength(before + 1);
}

function accountOf(mint: string, owner: string): string {
  const [one, other] = [new PublicKey(mint), new PublicKey(owner)];
  return getAssociatedTokenAddressSync(one, other, true, TOKEN_2022_PROGRAM_ID).toBase58();
}

describe('the moments of a round', () => {
  it('are drawn by the blocks of its window, each candidate looked at twice at most', async () => {
    const looks = await observeAll();
    expect(await made()).toEqual(drawsIn(3_000));
    // Too early, as the wait is an estimate, and when its block is final.
    expect(looks).toBeLessThanOrEqual(1 + 2 * candidatesUpTo(drawsIn(3_000)));
    for (const { slot, readSlot } of await rewardSnapshots.ofRound(market.db(), ROUND_ID))
      expect(Number(readSlot - slot)).toBeLessThan(20);
  });

  it.each([1, 150, 400])('are the same for a worker that is %i slots late each time', async (atLeast) => {
    await observeAll(atLeast);
    expect(await made()).toEqual(drawsIn(3_000));
  });

  it('are the same where two workers run at once; the first reading counts', async () => {
    finalSlot = 3_000;
    while ((await made()).length < 3) {
      const both = [observeHolders(deps(), await present()), observeHolders(deps(), await present())];
      const [wait] = await Promise.all(both);
      finalSlot = (wait?.slot ?? finalSlot) + 3;
    }
    expect(await made()).toEqual(drawsIn(3_000));
  });

  it('of a worker that comes too late are none of that window; it observes in a later one from the beginning', async () => {
    await observeNext();
    const [first, second] = drawsIn(3_000);
    expect(await made()).toEqual([first]);
    finalSlot = Number(second!.slot) + MOST_LATE_SLOTS + 10;
    const wait = await observeHolders(deps(), await present());
    const { slot } = windowAfter(finalSlot, WINDOW_SLOTS);
    expect(wait!.slot).toBe(slot);
    expect(await made()).toEqual([]);
    await observeAll();
    expect(await made()).toEqual(drawsIn(slot));
  });

  it('are looked for in a later window once no endpoint has the blocks any more, and not before', async () => {
    const own = deps();
    const { rpc } = own;
    const oldest = 20_000;
    const firstBlock = (slot: number) =>
      slot < oldest ? Promise.reject(new RpcUnavailableError('pruned')) : rpc.firstBlock(slot);
    const pruned = { ...own, rpc: { ...rpc, firstBlock } };
    finalSlot = 3_896 + MOST_LATE_SLOTS;
    await expect(observeHolders(pruned, await present())).rejects.toThrow('pruned');
    expect((await present()).windowSlot).toBe(3_000n);
    finalSlot = oldest;
    const { slot } = windowAfter(head(), WINDOW_SLOTS);
    expect((await observeHolders(pruned, await present()))!.slot).toBe(slot);
    await observeAll();
    expect(await made()).toEqual(drawsIn(slot));
  });

  it('stay where a worker believes them missed that another has made', async () => {
    finalSlot = Number(drawsIn(3_000)[0]!.slot);
    const late = { ...deps(), rpc: { ...deps().rpc, finalHead: () => Promise.resolve(finalSlot + 2_000) } };
    const before = await present();
    const { rpc } = late;
    const overtaken = { ...late, rpc: { ...rpc, firstBlock: (slot: number) => overtake(rpc, slot) } };
    let isOvertaken = false;
    async function overtake({ firstBlock }: ObservationDeps['rpc'], slot: number) {
      if (!isOvertaken) {
        isOvertaken = true;
        await observeHolders(deps(), before);
      }
      return firstBlock(slot);
    }
    const wait = await observeHolders(overtaken, before);
    // It looks again at once: the window goes on.
    expect(wait!.ms).toBeLessThan(5_000);
    expect(await made()).toEqual(drawsIn(3_000).slice(0, 1));
    expect((await present()).windowSlot).toBe(3_000n);
  });

  it('of a window that the round has left are not stored', async () => {
    const stale = await present();
    await rewardSnapshots.missWindow(
      market.db(),
      { roundId: ROUND_ID, windowSlot: 3_000n, n: 0 },
      windowAfter(9_000, 3_000),
    );
    finalSlot = Number(drawsIn(3_000)[0]!.slot);
    await observeHolders(deps(), stale);
    expect(await made()).toEqual([]);
  });

  it('that no endpoint answers about are tried again, and stay the same', async () => {
    const [first] = drawsIn(3_000);
    finalSlot = Number(first!.slot);
    const own = deps();
    const mute = { ...own, rpc: { ...own.rpc, agreedHolders: () => Promise.reject(new RpcUnavailableError('away')) } };
    await expect(observeHolders(mute, round)).rejects.toThrow('away');
    finalSlot += 100;
    await observeHolders(own, round);
    expect(await made()).toEqual([first]);
  });
});

describe('the observations of a round', () => {
  it('keep the slot of each answer and the quorum, by which a balance can be computed again', async () => {
    await observeNext();
    const [{ readSlot, answerSlots, quorum } = {}] = await rewardSnapshots.ofRound(market.db(), ROUND_ID);
    expect({ readSlot, answerSlots, quorum }).toEqual({
      readSlot: BigInt(finalSlot),
      answerSlots: [BigInt(finalSlot + 1), BigInt(finalSlot)],
      quorum: 2,
    });
  });

  it('keep what accounts beside the associated one an owner has, until the round ends', async () => {
    otherAccounts = new Map<string, OtherAccounts>([
      ['owner', ['first', 'second']],
      ['crowded', '+'],
    ]);
    await observeNext();
    const stored = () => rewardSnapshots.otherAccounts(market.db(), ROUND_ID);
    expect(await stored()).toEqual([otherAccounts]);
    await rewardRounds.end(market.db(), ROUND_ID, 'over');
    expect(await stored()).toEqual([new Map()]);
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
});
