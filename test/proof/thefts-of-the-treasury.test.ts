import { AuthorityType, createApproveInstruction, createSetAuthorityInstruction } from '@solana/spl-token';
import { type Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenInfo } from '../../chain/tokens/token.ts';
import { RAYDIUM_LOCK_PROGRAM } from '../../client/solana/programs.ts';
import type { Check } from '../../client/verify/check.ts';
import { verifyBudget } from '../../client/verify/statement/verify-budget.ts';
import { type RevenueHistory, verifyRevenue } from '../../client/verify/revenue/verify-revenue.ts';
import { verifyTreasury } from '../../client/verify/treasury/verify-treasury.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { grownPool } from '../support/proof/grown-pool.ts';
import { expectNamed, type Named } from '../support/proof/named.ts';
import { poolAccount } from '../support/proof/scripted-chain.ts';
import { type Row, rowsOf, totalsOf } from '../support/proof/statement-rows.ts';
import {
  burn,
  type Landing,
  move,
  openAccount,
  pay,
  startTheftGround,
  type TheftGround,
} from '../support/proof/theft-ground.ts';

let ground: TheftGround;
beforeAll(async () => {
  ground = await startTheftGround();
  ground.standInFor(RAYDIUM_LOCK_PROGRAM);
});
afterAll(() => ground.close());

/** A platform with one launched coin, and who has to do with it. */
interface Scene {
  readonly coin: TokenInfo;
  readonly quote: TokenInfo;
  readonly treasury: Keypair;
  readonly platform: Keypair;
  readonly friend: Keypair;
  /** Owns the accounts of the market. */
  readonly pool: Keypair;
  readonly position: PublicKey;
  readonly ticks: readonly [PublicKey, PublicKey];
}

/** Rows and revenue as the API shows them. */
interface Answers {
  readonly harvests: readonly Row[];
  readonly budget: readonly Row[];
  /** USD of each day from {@link FIRST_DAY} on. */
  readonly days: readonly number[];
}

interface Theft {
  /** In the place of the burn of the second harvest. */
  readonly burnsHarvest?: (scene: Scene) => Promise<unknown>;
  /** In the place of the burn of the purchase. */
  readonly burnsPurchase?: (scene: Scene) => Promise<unknown>;
  /** In the place of the purchase; returns its row. */
  readonly buys?: (scene: Scene) => Promise<Row>;
  /** At the end; may return rows of the budget for it. */
  readonly then?: (scene: Scene) => Promise<unknown>;
  readonly says?: (answers: Answers) => Partial<Answers>;
  /** The account of the pool. */
  readonly poolOf?: (scene: Scene) => ReturnType<typeof poolAccount>;
  /** Quote tokens that the position was paid per unit; default: what was harvested. */
  readonly paidGrowth?: bigint;
}

const [FIRST_DAY, SHARE_BPS] = ['2026-11-20', 5_000];

async function newScene(): Promise<Scene> {
  const [treasury, platform, friend, pool] = Array.from({ length: 4 }, ground.newWallet);
  if (!treasury || !platform || !friend || !pool) throw new Error('a wallet is missing');
  const [coin, quote] = [await ground.makeToken(), await ground.makeToken()];
  await ground.give(coin, pool.publicKey, 10_000n);
  await ground.give(quote, pool.publicKey, 100_000n);
  const owners = [treasury, platform, friend].map(({ publicKey }) => publicKey);
  await ground.land(
    platform,
    owners.flatMap((owner) => [coin, quote].map((token) => openAccount(platform.publicKey, token, owner))),
  );
  const ticks = [PublicKey.unique(), PublicKey.unique()] as const;
  return { coin, quote, treasury, platform, friend, pool, position: PublicKey.unique(), ticks };
}

/** The platform collects what its position earned, through the lock program. */
function harvest(scene: Scene, quoteRaw: bigint, coinRaw: bigint, to = scene, position = scene.position) {
  const { coin, quote, platform, pool, ticks } = scene;
  const places = new Map([
    [1, platform.publicKey],
    [6, position],
    [7, pool.publicKey],
    [11, ticks[0]],
    [12, ticks[1]],
  ]);
  const keys = Array.from({ length: 20 }, (_, place) => {
    return { pubkey: places.get(place) ?? PublicKey.default, isSigner: place === 1, isWritable: false };
  });
  const program = new PublicKey(RAYDIUM_LOCK_PROGRAM);
  const collect = new TransactionInstruction({ programId: program, keys, data: Buffer.of(16) });
  return ground.land(
    platform,
    [
      collect,
      move(quote, pool.publicKey, to.treasury.publicKey, quoteRaw),
      move(coin, pool.publicKey, to.platform.publicKey, coinRaw),
    ],
    [pool],
  );
}

/** Quote tokens of the treasury for coins of a seller. */
const swap = ({ coin, quote, treasury, platform }: Scene, seller: Keypair, quoteRaw: bigint, coinRaw: bigint) =>
  ground.land(
    platform,
    [
      move(quote, treasury.publicKey, seller.publicKey, quoteRaw),
      move(coin, seller.publicKey, treasury.publicKey, coinRaw),
    ],
    [treasury, seller],
  );

const burnBy = ({ platform }: Scene, owner: Keypair, token: TokenInfo, raw: bigint) =>
  ground.land(platform, [burn(token, owner.publicKey, raw)], [owner]);

/** Two harvests and their burns; a purchase and its burn. */
async function commit(theft: Theft) {
  const scene = await newScene();
  const { coin, quote, treasury, platform, pool } = scene;
  const first = await harvest(scene, 4_000n, 40n);
  await burnBy(scene, platform, coin, 40n);
  const second = await harvest(scene, 6_000n, 100n);
  await (theft.burnsHarvest?.(scene) ?? burnBy(scene, platform, coin, 100n));
  const bought = (await theft.buys?.(scene)) ?? { ...(await swap(scene, pool, 300n, 90n)), quote: -300n };
  await (theft.burnsPurchase?.(scene) ?? burnBy(scene, treasury, coin, 90n));
  const more = await theft.then?.(scene);
  const [mint, quoteMint] = [coin.mint.toBase58(), quote.mint.toBase58()];
  const share = (quoteRaw: bigint) => {
    return { quoteRaw: String(quoteRaw), quoteTokens: Number(quoteRaw), shareBps: SHARE_BPS };
  };
  const harvested = (day: string, usd: number) => ({ landedAt: `${day}T10:00:00.000Z`, valueUsd: usd, mint });
  const honest: Answers = {
    harvests: [
      { ...first, ...harvested('2026-11-20', 4), quote: 4_000n },
      { ...second, ...harvested('2026-11-22', 6), quote: 6_000n },
    ],
    budget: [
      { kind: 'share', ...first, mint, quote: 2_000n, harvest: share(4_000n) },
      { kind: 'share', ...second, mint, quote: 3_000n, harvest: share(6_000n) },
      { kind: 'purchase', mint, ...bought },
      ...(Array.isArray(more) ? (more as Row[]).map((row) => ({ mint, ...row })) : []),
    ],
    days: [4, 0, 6],
  };
  const said = { ...honest, ...theft.says?.(honest) };
  placePool(scene, theft);
  ground.age();
  return { scene, said, mint, quoteMint };
}

/** The pool grew by 12 a unit of liquidity, of which there are 1,000: 2 a unit can still be collected. */
function placePool(scene: Scene, { poolOf, paidGrowth = 10n }: Theft): void {
  const { coin, quote, pool, position, ticks } = scene;
  const place = {
    coin: coin.mint.toBase58(),
    quoteMint: quote.mint.toBase58(),
    pool: pool.publicKey.toBase58(),
    position: position.toBase58(),
    lower: ticks[0].toBase58(),
    upper: ticks[1].toBase58(),
  };
  const accounts = grownPool(place, { total: 12n, outsideLower: 0n, last: paidGrowth });
  for (const [address, state] of Object.entries(accounts)) ground.setAccount(new PublicKey(address), state);
  if (poolOf) ground.setAccount(pool.publicKey, poolOf(scene));
}

const statementOf = (rows: readonly Row[]) => {
  const shown = rowsOf(rows);
  return { rows: shown, totals: totalsOf(shown) };
};

function historyOf({ harvests, days }: Answers): RevenueHistory {
  const coverage = { revenueRows: harvests.length, revenueRowsUnpriced: 0, buybackRows: 0, buybackRowsUnpriced: 0 };
  const first = Date.parse(FIRST_DAY);
  return {
    network: 'mainnet-beta',
    unit: 'USD',
    start: FIRST_DAY,
    source: 'ledger',
    coverage,
    days: days.map((dailyRevenue, index) => ({
      date: new Date(first + index * 86_400_000).toISOString().slice(0, 10),
      dailyRevenue,
      dailyHoldersRevenue: 0,
      dailyProtocolRevenue: dailyRevenue,
      dailyHoldersSpent: 0,
    })),
  };
}

const walletsOf = ({ treasury, platform }: Scene): WalletEntry[] =>
  ([treasury, platform] as const).map(({ publicKey }, index) => ({
    number: index + 1,
    role: index === 0 ? 'treasury' : 'platform',
    address: publicKey.toBase58(),
    mint: null,
    event: 'used',
    slot: 1,
    notedAt: '2026-11-20T00:00:00.000Z',
  }));

type Committed = Awaited<ReturnType<typeof commit>>;

const revenue = ({ scene, said, quoteMint }: Committed) =>
  verifyRevenue({
    revenue: () =>
      Promise.resolve({
        statements: [{ ...statementOf(said.harvests), quoteMint }],
        history: historyOf(said),
        treasuries: [scene.treasury.publicKey.toBase58()],
        platforms: [scene.platform.publicKey.toBase58()],
      }),
    source: 'the API',
    chain: ground.strangers(),
  });

const budget = ({ scene, said, quoteMint }: Committed) =>
  verifyBudget({
    quoteMint,
    statement: () => Promise.resolve(statementOf(said.budget)),
    treasuries: () => Promise.resolve([scene.treasury.publicKey.toBase58()]),
    source: 'the API',
    chain: ground.strangers(),
  });

const treasury = ({ scene, said, quoteMint }: Committed) =>
  verifyTreasury({
    quoteMint,
    treasury: () =>
      Promise.resolve({
        revenue: statementOf(said.harvests),
        budgets: [statementOf(said.budget), statementOf([])],
        wallets: walletsOf(scene),
      }),
    source: 'the API',
    chain: ground.strangers(),
  });

const VERIFIERS = { revenue, budget, treasury };

/** Differences that each command names; not stated: it finds none. */
type Differences = Partial<Record<keyof typeof VERIFIERS, readonly Named[]>>;

/** Checks that this version never proves. */
const NEVER: Readonly<Record<keyof typeof VERIFIERS, readonly Named[]>> = {
  revenue: [['prices', 'are stated']],
  budget: [['prices', 'not checked by this version']],
  treasury: [],
};

async function expectThat(theft: Theft, differences: Differences, open: Differences = {}): Promise<readonly Check[]> {
  const committed = await commit(theft);
  const all = [];
  for (const name of ['revenue', 'budget', 'treasury'] as const) {
    const checks = await VERIFIERS[name](committed);
    expectNamed(checks, differences[name] ?? [], [...(open[name] ?? []), ...NEVER[name]]);
    all.push(...checks);
  }
  return all;
}

it('an honest treasury whose accounts strangers name is proven, but for the prices that are left open', async () => {
  const then = async ({ coin, quote, treasury: own, platform }: Scene) => {
    for (const token of [coin, quote]) await ground.dust(accountOf(token, own.publicKey));
    await ground.dust(accountOf(coin, platform.publicKey));
  };
  const checks = await expectThat({ then }, {});
  expect(checks.find(({ name }) => name === 'closes')?.how).toBe('in: 10000 harvests; out: 300 purchases; held: 9700');
});

const toFriend = (scene: Scene, token: TokenInfo, owner: Keypair, raw: bigint) =>
  ground.land(scene.platform, [move(token, owner.publicKey, scene.friend.publicKey, raw)], [owner]);

const [TAKEN, WITHOUT] = ['coins that are to be burned left another way', 'went to another wallet'];
const [PAID, COVER] = ['the harvests are not what the position paid', 'does not hold what is set aside'];
const MARKET = 'purchases of a coin are from several sellers';

/** Another coin, of which the wallet has as much. */
async function burnAnother(scene: Scene, owner: Keypair, raw: bigint) {
  const other = await ground.makeToken();
  await ground.give(other, owner.publicKey, raw);
  const gone = move(scene.coin, owner.publicKey, scene.friend.publicKey, raw);
  return ground.land(scene.platform, [burn(other, owner.publicKey, raw), gone], [owner]);
}

let another: Landing;

/** A friend sells a coin of theirs to the treasury. */
async function buyFromFriend(scene: Scene, quoteRaw: bigint, coinRaw: bigint): Promise<Row> {
  await ground.give(scene.coin, scene.friend.publicKey, coinRaw);
  const bought = await swap(scene, scene.friend, quoteRaw, coinRaw);
  return { kind: 'purchase', ...bought, quote: -quoteRaw };
}

describe.each<[string, Theft, Differences]>([
  [
    '2: a delegate of the treasury',
    {
      then: ({ quote, treasury: own, platform, friend }) => {
        const account = accountOf(quote, own.publicKey);
        const approval = createApproveInstruction(account, friend.publicKey, own.publicKey, 9n);
        return ground.land(platform, [approval], [own]);
      },
    },
    { treasury: [['joins', 'the treasury gives an account away']] },
  ],
  [
    '2: another owner of the treasury’s account, who takes tokens and gives it back',
    {
      then: async ({ quote, treasury: own, platform, friend }) => {
        const account = accountOf(quote, own.publicKey);
        const pass = (from: PublicKey, to: PublicKey) =>
          createSetAuthorityInstruction(account, from, AuthorityType.AccountOwner, to);
        await ground.land(platform, [pass(own.publicKey, friend.publicKey)], [own]);
        const taken = move(quote, own.publicKey, friend.publicKey, 9n, friend.publicKey);
        return ground.land(friend, [taken, pass(friend.publicKey, own.publicKey)]);
      },
    },
    { treasury: [['joins', 'the treasury gives an account away']] },
  ],
  [
    '24: fees of the position that a friend gets',
    {
      then: (scene) => harvest(scene, 2_000n, 1n, { ...scene, treasury: scene.friend, platform: scene.friend }),
      paidGrowth: 12n,
    },
    { revenue: [['growth', PAID]] },
  ],
  [
    '24: a harvest that is of another position',
    {
      then: async (scene) => {
        another = await harvest(scene, 2_000n, 1n, scene, PublicKey.unique());
        await burnBy(scene, scene.platform, scene.coin, 1n);
      },
      says: ({ harvests, budget: rows }) => {
        const [share] = rows;
        const row = { ...harvests[1], ...another, quote: 2_000n, valueUsd: 2 };
        const part = { quoteRaw: '2000', quoteTokens: 2_000, shareBps: SHARE_BPS };
        const booked = { ...share, ...another, quote: 1_000n, harvest: part };
        return { harvests: [...harvests, row], budget: [...rows, booked], days: [4, 0, 8] };
      },
    },
    { revenue: [['growth', 'a harvest is of another position']] },
  ],
  [
    '25: a harvest that is booked lower',
    {
      says: ({ harvests: [first, ...others] }) => ({
        harvests: [{ ...first, quote: 3_000n, valueUsd: 3 }, ...others],
        days: [3, 0, 6],
      }),
    },
    {
      revenue: [['rows', 'a row states another movement of quote tokens']],
      treasury: [['rows', 'a row is not what the treasury gained or paid']],
    },
  ],
  [
    '25: a harvest that is not booked',
    { then: (scene) => harvest(scene, 2_000n, 1n), paidGrowth: 12n },
    { revenue: [['growth', PAID]], treasury: [['closes', 'the revenue lacks a harvest']] },
  ],
  [
    '26: less burned than was harvested',
    {
      burnsHarvest: async (scene) => {
        await burnBy(scene, scene.platform, scene.coin, 99n);
        return toFriend(scene, scene.coin, scene.platform, 1n);
      },
    },
    { revenue: [['burned', 'a burn is not of what came in']] },
  ],
  [
    '26: harvested coins that go to a friend',
    { burnsHarvest: (scene) => toFriend(scene, scene.coin, scene.platform, 100n) },
    { revenue: [['burned', TAKEN]] },
  ],
  [
    '26: less burned than was bought',
    {
      burnsPurchase: (scene) => {
        const [own, friend] = [scene.treasury.publicKey, scene.friend.publicKey];
        const part = [burn(scene.coin, own, 80n), move(scene.coin, own, friend, 10n)];
        return ground.land(scene.platform, part, [scene.treasury]);
      },
    },
    { budget: [['burned', TAKEN]] },
  ],
  [
    '26: coins that a friend gets at the purchase',
    {
      buys: async (scene) => {
        const { quote, coin, treasury: own, pool, friend, platform } = scene;
        const bought = await ground.land(
          platform,
          [
            move(quote, own.publicKey, pool.publicKey, 300n),
            move(coin, pool.publicKey, own.publicKey, 90n),
            move(coin, pool.publicKey, friend.publicKey, 10n),
          ],
          [own, pool],
        );
        return { ...bought, quote: -300n };
      },
    },
    {
      budget: [
        ['markets', MARKET],
        ['burned', WITHOUT],
      ],
    },
  ],
  [
    '27: another coin burned in the place of the harvested one',
    { burnsHarvest: (scene) => burnAnother(scene, scene.platform, 100n) },
    { revenue: [['burned', TAKEN]] },
  ],
  [
    '27: another coin burned in the place of the bought one',
    { burnsPurchase: (scene) => burnAnother(scene, scene.treasury, 90n) },
    { budget: [['burned', TAKEN]] },
  ],
  [
    '28: a second purchase, from a friend',
    {
      then: async (scene) => {
        const row = await buyFromFriend(scene, 100n, 1n);
        await burnBy(scene, scene.treasury, scene.coin, 1n);
        return [row];
      },
    },
    { budget: [['markets', MARKET]] },
  ],
  [
    '28: purchases in a pool of another coin',
    { poolOf: ({ quote, position }) => poolAccount([position.toBase58(), quote.mint.toBase58()]) },
    {
      revenue: [['growth', 'a harvest is of another pool']],
      budget: [['markets', 'a purchase is of another market']],
    },
  ],
  [
    '29: a budget that the operator takes',
    { then: (scene) => toFriend(scene, scene.quote, scene.treasury, 9_000n) },
    { budget: [['cover', COVER]], treasury: [['cover', COVER]] },
  ],
  [
    '29: a budget that is away for one transaction',
    {
      then: async (scene) => {
        await toFriend(scene, scene.quote, scene.treasury, 9_000n);
        return ground.land(
          scene.friend,
          pay(scene.friend.publicKey, scene.quote, scene.friend.publicKey, scene.treasury.publicKey, 9_000n),
        );
      },
    },
    { treasury: [['cover', COVER]] },
  ],
  [
    '29: what the operator took, booked as a purchase',
    {
      then: async (scene) => {
        const taken = await toFriend(scene, scene.quote, scene.treasury, 1_000n);
        return [{ kind: 'purchase', ...taken, quote: -1_000n }];
      },
    },
    { budget: [['markets', 'a purchase bought nothing']] },
  ],
  [
    '30: a day whose revenue is not its rows',
    { says: () => ({ days: [4, 1, 6] }) },
    { revenue: [['days', 'the revenue of 2026-11-21 is not that of its rows']] },
  ],
  [
    '30: a day that the history lacks',
    { says: () => ({ days: [4, 0] }) },
    { revenue: [['days', 'the history lacks days']] },
  ],
  [
    '30: a day without one of its rows',
    { says: ({ harvests }) => ({ harvests: harvests.slice(0, 1), days: [4, 0, 0] }) },
    { revenue: [['growth', PAID]], treasury: [['closes', 'the revenue lacks a harvest']] },
  ],
])('%s', (_what, theft, differences) => {
  it('is named', async () => {
    await expectThat(theft, differences);
  });
});

it('28: purchases from a friend’s wallet alone are named as open: another exchange’s pool looks the same', async () => {
  const theft: Theft = {
    buys: (scene) => buyFromFriend(scene, 300n, 1n),
    burnsPurchase: (scene) => burnBy(scene, scene.treasury, scene.coin, 1n),
  };
  await expectThat(theft, {}, { budget: [['markets', 'is no pool of an exchange']] });
});
