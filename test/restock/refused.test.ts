import {
  createApproveInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { type AccountMeta, Keypair, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRestockActivities } from '../../activities/restock/activities.ts';
import { spendablePrice, type SpendablePrices, STRETCH_MS } from '../../domain/trading/spendable-price.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { makeTaxedToken, raiseFee } from '../support/platform/taxed-token.ts';
import { type RestockFixture, startRestockFixture } from '../support/restock/restock-platform.ts';
import type { SwapBehaviour } from '../support/restock/swap-server.ts';

const dollar = SEED_PAIRS[0]!;
const stranger = Keypair.generate().publicKey;

let ground: RestockFixture;
beforeAll(async () => {
  ground = await startRestockFixture();
});
afterAll(() => ground.close());
beforeEach(async () => {
  ground.market.behaviour = {};
  await ground.want(dollar, 150n);
});

const balances = async () => [
  await ground.stock(dollar),
  await ground.platform.connection.getBalance(ground.treasury, 'confirmed'),
];

/** One purchase from a market that behaves so; answers how it ended. */
async function buy(behaviour: SwapBehaviour, deps = ground.deps) {
  ground.market.behaviour = behaviour;
  const activities = createRestockActivities(deps);
  const [roundId = ''] = await activities.planRestocks();
  await activities.buyForInventory(roundId);
  return (await ground.rounds()).find(({ id }) => id === roundId);
}

/** The dollar's present price is so much above the median of the last hour. */
const raised = (prices: SpendablePrices, factor: number): SpendablePrices => ({
  ...prices,
  of: async (mint) => {
    const steady = await prices.of(mint);
    if (mint !== dollar.mint.toBase58()) return steady;
    const { medianUsd, observedAt } = steady;
    const seen = Array.from({ length: 11 }, (_, n) => new Date(observedAt.getTime() - (n + 1) * STRETCH_MS));
    const present = { usd: String(Number(medianUsd) * factor), source: 'jupiter', observedAt } as const;
    const before = seen.map((at) => ({ usd: medianUsd, observedAt: at }));
    return spendablePrice(present, before, { mint, maxDeviationBps: 2_000 });
  },
});

/** The honest instructions with one more before the swap. */
const adding = (instruction: () => TransactionInstruction): SwapBehaviour => ({
  alter: (instructions) => [...instructions.slice(0, -1), instruction(), instructions.at(-1)!],
});

const meta = (pubkey: AccountMeta['pubkey'], isSigner = false): AccountMeta => ({ pubkey, isSigner, isWritable: true });
const treasuryStock = () => getAssociatedTokenAddressSync(dollar.mint, ground.treasury);

describe('a swap that wants more than a swap is not signed', () => {
  it.each<[string, () => SwapBehaviour, () => string]>([
    [
      'lamports of the treasury',
      () => adding(() => SystemProgram.transfer({ fromPubkey: ground.treasury, toPubkey: stranger, lamports: 1 })),
      () => `it names ${ground.treasury.toBase58()}, which is not for it`,
    ],
    [
      'tokens of the treasury',
      () => adding(() => createTransferInstruction(treasuryStock(), ground.market.maker, ground.treasury, 1n)),
      () => `it names ${ground.treasury.toBase58()}, which is not for it`,
    ],
    [
      'the platform wallet',
      () =>
        adding(() => {
          const { publicKey } = ground.deps.signers.platform;
          return SystemProgram.transfer({ fromPubkey: ground.wallet, toPubkey: publicKey, lamports: 1 });
        }),
      () => `it names ${ground.deps.signers.platform.publicKey.toBase58()}, which is not for it`,
    ],
    [
      'another signature',
      () => adding(() => SystemProgram.transfer({ fromPubkey: stranger, toPubkey: ground.wallet, lamports: 1 })),
      () => `it wants the signature of ${stranger.toBase58()}`,
    ],
    [
      'an unknown program',
      () =>
        adding(
          () =>
            new TransactionInstruction({ programId: stranger, keys: [meta(ground.wallet, true)], data: Buffer.of(1) }),
        ),
      () => `it calls program ${stranger.toBase58()}`,
    ],
    [
      'a say over the wallet’s tokens later on',
      () =>
        adding(() => {
          const own = getAssociatedTokenAddressSync(dollar.mint, ground.wallet);
          return createApproveInstruction(own, stranger, ground.wallet, 1n);
        }),
      () => 'it calls instruction 4 of Token',
    ],
    [
      'the wallet itself',
      () => adding(() => SystemProgram.assign({ accountPubkey: ground.wallet, programId: stranger })),
      () => 'it calls instruction 1 of 1111',
    ],
    ['a lookup table that is none', () => ({ lookupTables: [stranger.toBase58()] }), () => 'does not exist'],
  ])('%s', async (_what, behaviour, reason) => {
    const before = await balances();
    const round = await buy(behaviour());
    expect(round).toMatchObject({ state: 'skipped', signature: null, spentLamports: null });
    expect(round?.reason).toContain(reason());
    expect(await balances()).toEqual(before);
  });
});

describe('a quote token whose author raises the tax on its transfers', () => {
  it('is not bought: the treasury would get what is left of it', async () => {
    const taxed = { ...dollar, mint: await makeTaxedToken(ground.platform), tokenProgram: TOKEN_2022_PROGRAM_ID };
    await ground.want(dollar, null);
    await ground.want(taxed, 150n);
    await raiseFee(ground.platform, taxed.mint, 9_900);
    const round = await buy({});
    await ground.want(taxed, null);
    expect(round).toMatchObject({ mint: taxed.mint.toBase58(), state: 'skipped', signature: null });
    expect(round?.reason).toContain('transfers take 9900 bps, at most 500 are borne');
  });
});

describe('a swap that gives too little is not signed', () => {
  it.each<[string, SwapBehaviour, RegExp]>([
    ['less than offered', { fillBps: 9_890n }, /it would fail: .*Custom/],
    ['less than our own prices say', { offerBps: 9_799n }, /the offer is \d+ raw units, the prices say 150000000/],
    ['at a moved price', { quote: { priceImpactPct: '0.0201' } }, /moves the price by 201 bps, at most 200/],
  ])('%s', async (_what, behaviour, reason) => {
    const before = await balances();
    const round = await buy(behaviour);
    expect(round).toMatchObject({ state: 'skipped', signature: null });
    expect(round?.reason).toMatch(reason);
    expect(await balances()).toEqual(before);
  });

  it('but one at the very limits is', async () => {
    const round = await buy({ offerBps: 9_800n, fillBps: 9_900n, quote: { priceImpactPct: '0.02' } });
    expect(round).toMatchObject({ state: 'done' });
    // 98 % of the price, filled at 99 % of that.
    expect(round?.receivedRaw).toBe(145_530_000n);
  });
});

describe('a swap at a price that somebody moves up', () => {
  it.each([
    // The present price is 15 % above the median: within the 20 % of a steady price, and more than a restock pays.
    ['is not signed, although the present price says so', 1.15, 'skipped'],
    ['is signed where it is little above the median', 1.04, 'done'],
  ] as const)('%s', async (_what, factor, state) => {
    const moved = { ...ground.deps, spendablePrices: raised(ground.deps.spendablePrices, factor) };
    const round = await buy({ offerBps: BigInt(Math.floor(10_000 / factor)) }, moved);
    expect(round).toMatchObject({ state });
    if (state === 'skipped') expect(round?.reason).toMatch(/the prices say 150000000, their medians 172500000$/);
  });
});

describe('a quote that is not of the order', () => {
  it.each<[string, object, string]>([
    ['another amount', { inAmount: '1' }, 'a quote of another order'],
    ['another token', { outputMint: stranger.toBase58() }, 'a quote of another order'],
    ['more slippage', { slippageBps: 101 }, 'a quote of another order'],
    ['exact out', { swapMode: 'ExactOut' }, 'a quote of another order'],
    ['a fee for somebody', { platformFee: { amount: '1', feeBps: 1 } }, 'a quote with a platform fee'],
    ['an amount that is none', { outAmount: '1.5' }, 'a quote of unknown form'],
  ])('%s: the round stays open and nothing is signed', async (_what, quote, problem) => {
    const before = await balances();
    await expect(buy({ quote })).rejects.toThrow(problem);
    expect((await ground.rounds()).at(-1)).toMatchObject({ state: 'open' });
    expect(await balances()).toEqual(before);
  });
});

describe('a round that is not needed any more', () => {
  it('is skipped when enough is available again', async () => {
    const [roundId = ''] = await ground.activities.planRestocks();
    await ground.want(dollar, null);
    expect(await ground.activities.buyForInventory(roundId)).toBe('skipped');
    expect((await ground.rounds()).at(-1)?.reason).toBe('enough are available again');
  });

  it('is skipped when restocks were switched off, and no new one is planned', async () => {
    const off = createRestockActivities({ ...ground.deps, limits: null });
    const [roundId = ''] = await ground.activities.planRestocks();
    expect(await off.buyForInventory(roundId)).toBe('skipped');
    expect(await off.planRestocks()).toEqual([]);
  });
});

describe('limits', () => {
  it('of a day count what was spent and what open rounds may spend', async () => {
    const spent = (await ground.rounds()).reduce((sum, { spentLamports }) => sum + (spentLamports ?? 0n), 0n);
    const limits = { ...ground.deps.limits!, maxLamportsPerDay: spent + 500_000_000n };
    const narrow = createRestockActivities({ ...ground.deps, limits });
    const [roundId] = await narrow.planRestocks();
    const round = (await ground.rounds()).find(({ id }) => id === roundId);
    expect(round?.budgetLamports).toBe(500_000_000n);
    const second = SEED_PAIRS.find(({ mint, retired }) => !retired && !mint.equals(dollar.mint))!;
    await ground.want(second, 1n);
    expect(await narrow.planRestocks()).toEqual([roundId]);
  });
});
