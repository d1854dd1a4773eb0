import { createCloseAccountInstruction } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRewardActivities } from '../../activities/reward/activities.ts';
import { readRewardMarket } from '../../activities/reward/market.ts';
import { sealPlan } from '../../activities/reward/seal.ts';
import { LeftOutSchema, RewardRoundsSchema } from '../../api/reward/rounds.schema.ts';
import * as rewardPayouts from '../../db/reward/reward-payouts.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import { accountOf, land, type Market } from '../support/claim/claim-market.ts';
import { eventually } from '../support/platform/eventually.ts';
import { potOf } from '../support/reward/books.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { rewardDepsOf } from '../support/reward/reward-deps.ts';
import { type RewardFixture, startRewardFixture, untilDone } from '../support/reward/reward-platform.ts';

let ground: RewardFixture;
let origin: string;
beforeAll(async () => {
  ground = await startRewardFixture({ REWARD_SNAPSHOT_WINDOW_SLOTS: '3', REWARD_SALE_WINDOW_SECONDS: '0' });
  origin = await ground.platform.api.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => ground.close());

/** Byte of a token account that says whether it is frozen. */
const STATE_OFFSET = 108;
const [INITIALIZED, FROZEN] = [1, 2];

async function setState({ quote }: Market, owner: PublicKey, state: number): Promise<void> {
  const account = accountOf(quote, owner);
  const info = (await ground.platform.connection.getAccountInfo(account))!;
  const data = Buffer.from(info.data);
  data[STATE_OFFSET] = state;
  const changed = { lamports: BigInt(info.lamports), data, owner: info.owner.toBase58(), executable: false };
  ground.platform.chain.control.setAccounts([[account.toBase58(), changed]]);
}

const incinerator = new PublicKey('1nc1nerator11111111111111111111111111111111');

/** What the API answers at a path of a market's rewards, as a program reads it. */
async function read<Schema extends TSchema>({ mint }: Market, path: string, schema: Schema): Promise<Static<Schema>> {
  const answer = await fetch(`${origin}/api/public/v1/tokens/${mint}/rewards${path}`);
  expect([path, answer.status]).toEqual([path, 200]);
  return Value.Parse(schema, Value.Parse(Type.Object({ data: Type.Unknown() }), await answer.json()).data);
}

/**
 * Judges that the public record of a market's only round names these owners, the pool and the burn address, and that everybody who was
 * seen is paid, named or counted.
 */
async function expectRecord(
  market: Market,
  { id, budgetRaw }: RewardRound,
  seen: ReadonlySet<string>,
  others: ReadonlyMap<string, string>,
) {
  const { rounds, pagination } = await read(market, '/rounds', RewardRoundsSchema);
  expect(pagination.total).toBe(1);
  const [round] = rounds;
  expect(round).toMatchObject({ number: 1, id, state: 'done', note: null, division: { budgetRaw: `${budgetRaw}` } });
  expect(round!.observations).toHaveLength(3);
  expect(round!.windowSlot! % round!.windowSlots!).toBe(0);
  for (const { n, slot, readSlot } of round!.observations) {
    expect(slot).toBeGreaterThanOrEqual(round!.windowSlot! + n);
    expect(readSlot).toBeGreaterThanOrEqual(slot);
  }
  const { leftOut } = await read(market, '/rounds/1/left-out', LeftOutSchema);
  const named = new Map(leftOut.map(({ owner, reason }) => [owner, reason]));
  const expected = [...others, [incinerator.toBase58(), 'burnAddress'], [market.pool.toBase58(), 'pool']] as const;
  for (const [owner, reason] of expected) expect([owner, named.get(owner)]).toEqual([owner, reason]);
  const counts = new Map(round!.leftOut.map(({ reason, ownerCount }) => [reason, ownerCount]));
  expect(counts.get('belowMinimum')).toBe(seen.size - leftOut.length - round!.recipientCount);
  for (const reason of new Set(named.values())) {
    expect([reason, counts.get(reason)]).toEqual([reason, leftOut.filter((one) => one.reason === reason).length]);
  }
  expect(round!.leftOutCount).toBe(seen.size - round!.recipientCount);
}

/** A market with two holders whose round is about to pay. */
async function aboutToPay() {
  const market = await ground.launch();
  const [first, second] = [await ground.buy(market, 500_000_000n), await ground.buy(market, 1_500_000_000n)];
  await market.trade('buy', 1_200_000_000n);
  const dust = Keypair.generate().publicKey;
  await ground.give(market, incinerator, 9_000_000n * 10n ** 9n);
  await ground.give(market, dust, 1_000n);
  await ground.settle(market);
  await ground.plan();
  const { id } = (await ground.newest(market))!;
  // That of another test's market may pay meanwhile.
  const paying = ground.platform.gate.hold('payRewards', id);
  await paying.reached;
  const round = (await ground.newest(market))!;
  const observed = await rewardSnapshots.balances(ground.platform.db, round.id);
  const seen = new Set(observed.flatMap((balances) => [...balances.keys()]));
  return { market, first, second, dust, paying, round, seen };
}

async function statesOf({ id }: RewardRound): Promise<Map<string, string>> {
  const payouts = await rewardPayouts.ofRound(ground.platform.db, id);
  return new Map(payouts.map(({ owner, state }) => [owner, state]));
}

describe('a payout', () => {
  it('leaves out only who closed the account, and pays all others of the transaction', async () => {
    const { market, first, second, dust, paying, round, seen } = await aboutToPay();
    const account = accountOf(market.quote, first.publicKey);
    await land(ground.platform, first, [createCloseAccountInstruction(account, first.publicKey, first.publicKey)]);
    paying.release();
    await untilDone(ground.platform, market);
    const states = await statesOf(round);
    expect([states.get(first.publicKey.toBase58()), states.get(second.publicKey.toBase58())]).toEqual(['void', 'paid']);
    expect([...states.values()].filter((state) => state === 'void')).toHaveLength(1);
    expect(seen).toContain(dust.toBase58());
    await expectRecord(market, round, seen, new Map([[first.publicKey.toBase58(), 'accountClosed']]));
  });

  it('that failed because an account was closed after everybody had looked is signed anew for all others', async () => {
    const { market, first, second, paying, round } = await aboutToPay();
    const { chain, connection } = ground.platform;
    const deps = await rewardDepsOf(ground.platform);
    await sealPlan(deps, await readRewardMarket(deps, market.mint), round);
    expect(await ground.newest(market)).toMatchObject({ id: round.id, state: 'paying' });
    deps.close();
    const late = await rewardDepsOf(ground.platform, { endpoints: [`${chain.rpcUrl}/rpc/late`] });
    chain.control.stale('late');
    const account = accountOf(market.quote, first.publicKey);
    await land(ground.platform, first, [createCloseAccountInstruction(account, first.publicKey, first.publicKey)]);
    const paid = createRewardActivities(late).payRewards(round.id);
    const pot = accountOf(market.quote, await potOf(ground, market));
    await eventually(async () => {
      const history = await connection.getSignaturesForAddress(pot, {}, 'confirmed');
      return history.some(({ err }) => err !== null) || null;
    }, 'a payout that fails on the chain');
    chain.control.clear('late');
    expect(await paid).toBe(0);
    const states = await statesOf(round);
    expect([states.get(first.publicKey.toBase58()), states.get(second.publicKey.toBase58())]).toEqual(['void', 'paid']);
    expect([...states.values()].filter((state) => state === 'void')).toHaveLength(1);
    expect(await ground.newest(market)).toMatchObject({ id: round.id, state: 'done', note: null, problem: null });
    paying.release();
    late.close();
  });

  it('waits, with the reason noted, while the pot’s own account gives nothing, and then reaches everybody', async () => {
    const { market, paying, round } = await aboutToPay();
    const pot = await potOf(ground, market);
    await setState(market, pot, FROZEN);
    paying.release();
    await eventually(
      async () => ((await ground.newest(market))?.problem?.includes('cannot pay') ? true : null),
      'a noted problem of the round',
    );
    expect(new Set((await statesOf(round)).values())).toEqual(new Set(['planned']));
    await setState(market, pot, INITIALIZED);
    const done = await untilDone(ground.platform, market);
    expect(done).toMatchObject({ id: round.id, note: null, problem: null });
    expect(new Set((await statesOf(round)).values())).toEqual(new Set(['paid']));
  });

  it('opens the account of whoever has none, also where somebody sent lamports to its address', async () => {
    const market = await ground.launch();
    await market.trade('buy', 1_200_000_000n);
    const holder = Keypair.generate().publicKey;
    await ground.give(market, holder, 20_000_000n * 10n ** 9n);
    ground.platform.chain.control.fund(accountOf(market.quote, holder).toBase58(), 890_880n);
    await ground.settle(market);
    const round = await ground.round(market);
    expect((await statesOf(round)).get(holder.toBase58())).toBe('paid');
  });

  it('says of the rents of opened accounts that they are paid only where they reached the treasury', async () => {
    const market = await ground.launch();
    await market.trade('buy', 1_200_000_000n);
    const holder = Keypair.generate().publicKey;
    await ground.give(market, holder, 20_000_000n * 10n ** 9n);
    await ground.settle(market);
    const treasury = new PublicKey(addressOf(ground.platform.secrets.TREASURY_SECRET_KEY));
    const stock = await ground.quoteOf(market, treasury);
    await setState(market, treasury, FROZEN);
    const round = await ground.round(market);
    await setState(market, treasury, INITIALIZED);
    const states = await statesOf(round);
    expect([states.get(holder.toBase58()), states.get(treasury.toBase58())]).toEqual(['paid', 'void']);
    expect(await ground.quoteOf(market, treasury)).toBe(stock);
  });
});
