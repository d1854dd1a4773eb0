import {
  AuthorityType,
  createApproveInstruction,
  createInitializeMultisigInstruction,
  createSetAuthorityInstruction,
  MULTISIG_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Check, exitCodeOf } from '../../client/verify/check.ts';
import { textOf } from '../../client/cli/document-text.ts';
import { readRoundDocument } from '../../client/verify/round/round-document.ts';
import { createRpcChain } from '../../client/verify/rpc-chain.ts';
import type { CanonicalValue } from '../../client/proof/canonical-json.ts';
import type { RoundPlan } from '../../domain/reward/round-document.ts';
import { startAnsweringServer } from '../support/answering-server.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { honestRound } from '../support/proof/round-text.ts';
import { type ProofFixture, startProofFixture, type Theft } from '../support/proof/paid-round.ts';
import type { PriceTable } from '../support/proof/price-table.ts';
import { poolAccount } from '../support/proof/scripted-chain.ts';
import { expectShown } from '../support/proof/shown-verdict.ts';

let ground: ProofFixture;
/** A log that was sealed when all balances were known. */
let late: PriceTable;
beforeAll(async () => {
  ground = await startProofFixture();
  late = await ground.sealTable({ number: 2, solUsd: '104' });
});
afterAll(() => ground.close());

const differences = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status === 'different').map(({ name, how }) => [name, how]);

it('an honest round is proven but for prices, which are said to be open', async () => {
  const checks = await ground.round();
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ['document', 'proven'],
    ['sums', 'proven'],
    ['division', 'proven'],
    ['thresholds', 'proven'],
    ['draws', 'proven'],
    ['readings', 'proven'],
    ['seal', 'proven'],
    ['table', 'proven'],
    ['pot', 'proven'],
    ['order', 'proven'],
    ['window', 'proven'],
    ['before', 'proven'],
    ['movements', 'proven'],
    ['sale', 'proven'],
    ['payouts', 'proven'],
    ['balances', 'proven'],
    ['prices', 'unprovable'],
  ]);
  expect(exitCodeOf(checks)).toBe(2);
  expect(exitCodeOf(checks.filter(({ status }) => status === 'proven'))).toBe(0);
});

/** A plan with other payouts or facts. */
const withPayouts =
  (change: (payout: RoundPlan['payouts'][number]) => bigint, from: 'amountRaw' | 'rentRaw' = 'amountRaw') =>
  (plan: RoundPlan): RoundPlan => ({
    ...plan,
    payouts: plan.payouts.map((payout) => ({ ...payout, [from]: change(payout) })),
  });

const leftOutAs =
  (reason: 'notThroughout' | 'offCurve' | 'accountClosed' | 'pool') =>
  (plan: RoundPlan): RoundPlan => {
    const [first, ...others] = plan.payouts;
    if (!first) throw new Error('the plan pays nobody');
    return { ...plan, payouts: others, leftOut: [...plan.leftOut, { owner: first.owner, reason, balanceRaw: 300n }] };
  };

interface Moment {
  readonly slot: number;
  readonly blockhash: string;
  readonly answerSlots: readonly number[];
  readonly quorum: number;
  readonly readSlot: number;
}
const observationsOf = ({ facts }: RoundPlan) =>
  facts['observations'] as (Moment & Readonly<Record<string, CanonicalValue>>)[];

const withFacts =
  (facts: RoundPlan['facts']) =>
  (plan: RoundPlan): RoundPlan => ({ ...plan, facts: { ...plan.facts, ...facts } });

const withPrices = (prices: Readonly<Record<string, CanonicalValue>>) => (plan: RoundPlan) =>
  withFacts({ prices: { ...(plan.facts['prices'] as typeof prices), ...prices } })(plan);

const shownLog = ({ text }: PriceTable) => ({ text: [text], source: 'the log' });

const windowOf = ({ facts }: RoundPlan) => facts['window'] as { readonly slot: number; readonly slots: number };

const withWindow =
  (change: (window: ReturnType<typeof windowOf>) => { readonly slot: number; readonly slots: number }) =>
  (plan: RoundPlan): RoundPlan =>
    withFacts({ window: change(windowOf(plan)) })(plan);

/** A plan by which an owner held another amount at the second observation. */
const holding =
  (raw: bigint, change: bigint) =>
  (plan: RoundPlan): RoundPlan => {
    const [owner] = [...(plan.observations[1] ?? [])].find(([, held]) => held === raw) ?? [];
    if (owner === undefined) throw new Error(`no owner held ${raw}`);
    const observations = plan.observations.map((one, n) => (n === 1 ? new Map([...one, [owner, raw + change]]) : one));
    return { ...plan, observations };
  };

/** A plan whose first observation is another. */
const observed =
  (change: (one: Moment) => Partial<Moment>) =>
  (plan: RoundPlan): RoundPlan => {
    const observations = observationsOf(plan).map((one, n) => (n === 0 ? { ...one, ...change(one) } : one));
    return withFacts({ observations })(plan);
  };

const thefts: readonly (readonly [string, Theft, string, string])[] = [
  [
    'a payment to a friend outside of the round',
    { afterPayouts: (coin) => ground.land(coin, ground.pay(coin, { owner: coin.friend, raw: 3n })) },
    'payouts',
    'the pot pays what is not in the document',
  ],
  [
    'a delegate of the pot',
    {
      afterPayouts: (coin) => {
        const account = accountOf(coin.quote, coin.pot.publicKey);
        return ground.land(coin, [createApproveInstruction(account, coin.friend, coin.pot.publicKey, 1n)]);
      },
    },
    'pot',
    'a delegate may move tokens of the pot',
  ],
  [
    'another owner of an account of the pot',
    {
      afterPayouts: (coin) => {
        const [account, own] = [accountOf(coin.quote, coin.pot.publicKey), coin.pot.publicKey];
        return ground.land(coin, [
          createSetAuthorityInstruction(account, own, AuthorityType.AccountOwner, coin.friend),
        ]);
      },
    },
    'pot',
    'an account of the pot has another owner',
  ],
  [
    'rent of an account that existed, and that a stranger named before the seal',
    {
      beforeSeal: async (coin) => {
        await ground.land(coin, ground.pay(coin, { owner: coin.bob, raw: 0n }));
        const [fromPubkey, toPubkey] = [ground.payer.publicKey, accountOf(coin.quote, coin.bob)];
        // Without a token program, so that the RPC shows no balance.
        await ground.land(coin, [SystemProgram.transfer({ fromPubkey, toPubkey, lamports: 1 })], false);
      },
    },
    'payouts',
    'rent was kept for an account that existed',
  ],
  [
    'rent of an account that existed',
    {
      beforeSeal: (coin) => ground.land(coin, ground.pay(coin, { owner: coin.bob, raw: 0n })),
    },
    'payouts',
    'rent was kept for an account that existed',
  ],
  [
    'one payout greater and the next smaller',
    {
      pays: (batches) =>
        batches.map((batch) => batch.map((one, index) => ({ ...one, raw: one.raw + (index === 0 ? 9n : -9n) }))),
    },
    'payouts',
    'the pot pays what is not in the document',
  ],
  [
    'an owner who is left out though they held enough',
    { plan: leftOutAs('notThroughout') },
    'sums',
    'an owner who held enough throughout is left out',
  ],
  [
    'a wallet left out as an address without a key',
    { plan: leftOutAs('offCurve') },
    'sums',
    'an owner is left out as offCurve and is none',
  ],
  ['a wallet left out as the pool', { plan: leftOutAs('pool') }, 'sums', 'an owner is left out as pool and is none'],
  [
    'a wallet left out by a plan for its account',
    { plan: leftOutAs('accountClosed') },
    'sums',
    'an owner is left out for a reason that no plan has',
  ],
  [
    'rows changed behind the seal',
    { shown: (text) => text.replace('\t599\t', '\t600\t') },
    'seal',
    'the document is not sealed',
  ],
  [
    'a second seal of the pot in the place of one',
    { beforeSeal: (coin) => ground.seal(coin, new Uint8Array(32).fill(7)) },
    'order',
    'another document was sealed for this pot',
  ],
  [
    'a payout before the seal',
    {
      beforeSeal: (coin, payments) =>
        ground.land(
          coin,
          payments.slice(0, 1).flatMap((one) => ground.pay(coin, one)),
        ),
      pays: (batches) => batches.map((batch) => batch.slice(1)),
    },
    'before',
    'the pot paid before the seal',
  ],
  ['no seal at all', { isUnsealed: true }, 'seal', 'the document is not sealed'],
  [
    'a moment that was not drawn',
    { plan: observed((one) => ({ ...one, slot: one.slot - 1 })) },
    'draws',
    'another moment is drawn',
  ],
  [
    'a blockhash that no block has',
    { plan: observed((one) => ({ ...one, blockhash: 'another' })) },
    'draws',
    'a draw is from another blockhash',
  ],
  [
    'a window of a length of its own',
    { plan: withWindow(({ slot }) => ({ slot: slot + 2, slots: 601 })) },
    'draws',
    'the window has another length',
  ],
  [
    'a window that begins where it suits',
    { plan: withWindow(({ slot, slots }) => ({ slot: slot + 64, slots })) },
    'draws',
    'the window begins where none does',
  ],
  [
    'a window from before the round',
    { plan: (plan) => withFacts({ openedSlot: windowOf(plan).slot })(plan) },
    'window',
    'the window began before the round',
  ],
  [
    'an observation fewer',
    { plan: (plan) => ({ ...plan, facts: { ...plan.facts, observations: observationsOf(plan).slice(1) } }) },
    'draws',
    'the observations are not those of a round',
  ],
  [
    'balances from before the drawn moment',
    { plan: observed((one) => ({ ...one, answerSlots: [one.slot + 1, one.slot - 1], readSlot: one.slot - 1 })) },
    'readings',
    'balances were read before the drawn moment',
  ],
  [
    'balances that one endpoint alone reports',
    { plan: observed((one) => ({ ...one, quorum: 1, readSlot: one.slot + 2 })) },
    'readings',
    'a reading has another quorum',
  ],
  [
    'balances from behind the seal',
    { plan: observed((one) => ({ ...one, answerSlots: [1e9, 1e9], readSlot: 1e9 })) },
    'window',
    'balances were read behind the seal',
  ],
  [
    'a row with less than its owner held',
    { plan: holding(300n, -1n) },
    'balances',
    'a row has less than its owner held at observation 1',
  ],
  [
    'an owner without a row who asks for it',
    {
      plan: (plan) => ({ ...plan, leftOut: plan.leftOut.filter(({ balanceRaw }) => balanceRaw !== 1n) }),
      asked: ({ tiny }) => ({ owner: tiny.toBase58() }),
    },
    'balances',
    'an owner who held the minimum has no row',
  ],
  [
    'a division that favours one wallet by one unit',
    {
      plan: withPayouts(({ n, amountRaw, rentRaw }) => (n === 3 ? amountRaw : amountRaw + (rentRaw === 0n ? 1n : -1n))),
    },
    'division',
    'the division gives',
  ],
  [
    'a minimum holding that does not follow from the prices',
    { plan: withFacts({ minimumRaw: '2' }) },
    'thresholds',
    'the minimum holding does not follow',
  ],
  [
    'a least payout that does not follow from the prices',
    { plan: withFacts({ rules: { minHoldingUsd: '0.001', minPayoutUsd: '0.02', averageMinutes: 30 } }) },
    'thresholds',
    'the least payout does not follow',
  ],
  [
    'another price of SOL than the log has',
    { plan: (plan) => withPrices({ solUsd: '104' })(plan) },
    'table',
    'the log has another price of SOL',
  ],
  [
    'a price of another hour than the log has',
    { plan: (plan) => withPrices({ pricedAt: '2026-11-21T13:00:00.000Z' })(plan) },
    'table',
    'the log has another time of its price',
  ],
  [
    'prices that were sealed when the balances were known',
    { plan: (plan) => withPrices(late.stated)(plan), asked: () => ({ log: () => shownLog(late) }) },
    'table',
    'the log was sealed when the balances were known',
  ],
  [
    'another log than the document names',
    { asked: () => ({ log: () => shownLog(late) }) },
    'table',
    'another log is shown',
  ],
  ['a sale to a friend past the pool', { sellsToBank: true }, 'movements', 'a sale is not in the pool of the coin'],
  [
    'a sale to a friend that the document calls a withdrawal of tax',
    { sellsToBank: true, plan: (plan) => withFacts({ movements: [{ ...movementOf(plan), kind: 'tax' }] })(plan) },
    'movements',
    'a sale is not in the pool of the coin',
  ],
  [
    'a sale in a pool of another coin',
    { pool: ({ pot, quote }) => poolAccount([pot.publicKey.toBase58(), quote.mint.toBase58()]) },
    'movements',
    'a sale is in another market',
  ],
  [
    'a second sale',
    { beforeSeal: (coin) => ground.sell(coin, 500n, 3n) },
    'movements',
    'coins left the pot outside of the document',
  ],
  [
    'proceeds booked lower',
    {
      plan: (plan) => ({
        ...plan,
        facts: { ...plan.facts, movements: [{ ...movementOf(plan), quoteRaw: '1000000' }] },
      }),
    },
    'movements',
    'a sale moved other quote tokens of the pot',
  ],
];

const movementOf = ({ facts }: RoundPlan) => first(facts['movements']) as Record<string, string>;
const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

it.each(thefts)('%s is named', async (_what, theft, check, how) => {
  const checks = await ground.round(theft);
  expect(differences(checks)).toContainEqual([check, expect.stringContaining(how)]);
  expect(exitCodeOf(checks)).toBe(1);
  const [named] = checks.filter(({ status }) => status === 'different');
  expect([named?.expected?.from, named?.found?.from]).not.toContain(undefined);
});

it('a row that is not paid is named as open, and is no difference', async () => {
  const checks = await ground.round({ pays: (batches) => batches.map((batch) => batch.slice(1)) });
  expect(differences(checks)).toEqual([]);
  const payouts = checks.find(({ name }) => name === 'payouts');
  expect([payouts?.status, payouts?.how]).toEqual(['unprovable', expect.stringContaining('2 of 3 rows are not paid')]);
});

it('a pot that is made a multisignature of a friend is open: its tokens leave without its signature', async () => {
  const afterPayouts = (coin: Parameters<NonNullable<Theft['afterPayouts']>>[0]) => {
    const own = coin.pot.publicKey;
    const facts = { lamports: 10_000_000, space: MULTISIG_SIZE, programId: TOKEN_PROGRAM_ID };
    return ground.land(coin, [
      SystemProgram.createAccount({ fromPubkey: ground.payer.publicKey, newAccountPubkey: own, ...facts }),
      createInitializeMultisigInstruction(own, [coin.friend], 1),
    ]);
  };
  const checks = await ground.round({ afterPayouts });
  expect(checks.find(({ name }) => name === 'pot')).toMatchObject({
    status: 'unprovable',
    how: expect.stringContaining('is no wallet of a key') as unknown,
  });
});

it('a sale to a friend’s wallet that the sealed document calls the pool is named as open', async () => {
  const checks = await ground.round({ pool: () => null });
  expect(differences(checks)).toEqual([]);
  const movements = checks.find(({ name }) => name === 'movements');
  expect([movements?.status, movements?.how]).toEqual(['unprovable', expect.stringContaining('is no pool of an')]);
});

it('prices without a sealed log are named as open: the platform alone states them', async () => {
  const checks = await ground.round({ plan: withPrices({ table: null }) });
  expect(differences(checks)).toEqual([]);
  const { status, how } = checks.find(({ name }) => name === 'table') ?? {};
  expect([status, how]).toEqual(['unprovable', expect.stringContaining('stated by the platform alone')]);
});

it('a sealed document that its address does not show is named as open', async () => {
  const server = await startAnsweringServer();
  server.answer = { status: 404, body: '' };
  try {
    const text = () => textOf(`${server.url}/documents/root`, undefined);
    const checks = await ground.round({ asked: () => ({ text: text() }) });
    expect(checks[0]).toMatchObject({ name: 'document', status: 'unprovable' });
    expect(checks[0]?.how).toContain('/documents/root is not shown: it answered 404');
    expect(exitCodeOf(checks)).toBe(2);
  } finally {
    await server.close();
  }
});

it('balances that were read long after the drawn moment are named as open: the reader could choose', async () => {
  const late = ({ slot }: Moment) => ({ answerSlots: [slot + 152, slot + 151], readSlot: slot + 151 });
  const checks = await ground.round({ plan: observed(late) });
  expect(differences(checks)).toEqual([]);
  const { status, how } = checks.find(({ name }) => name === 'readings') ?? {};
  expect([status, how]).toEqual(['unprovable', expect.stringContaining('read 152 slots after its block')]);
});

it('a row with more than its owner’s account held is named as open: another account would explain it', async () => {
  const checks = await ground.round({ plan: holding(300n, 1n) });
  expect(differences(checks)).toEqual([]);
  const { status, how } = checks.find(({ name }) => name === 'balances') ?? {};
  expect([status, how]).toEqual(['unprovable', expect.stringContaining('and the row has 301')]);
});

it('a row for an owner who held nothing, paid from the sum of the others, is named as open', async () => {
  const forNothing = (plan: RoundPlan): RoundPlan => {
    const [owner] = [...(plan.observations[0] ?? [])].find(([, held]) => held === 300n) ?? [];
    if (owner === undefined) throw new Error('no owner held 300');
    const observations = plan.observations.map((one) => new Map([...one, [owner, 900n]]));
    return { ...plan, observations };
  };
  const checks = await ground.round({ plan: forNothing });
  const { status, how } = checks.find(({ name }) => name === 'balances') ?? {};
  expect([status, how]).toEqual(['unprovable', expect.stringContaining('held 300 in')]);
});

it('a sale far below the stated average, and an average far from the sale, are named as open', async () => {
  const averages = (saleAverage: string, averagePrice: string) => (plan: RoundPlan) =>
    withPrices({ averagePrice })(withFacts({ saleAverage, minimumRaw: '1' })(plan));
  for (const [saleAverage, averagePrice, how] of [
    ['1100', '1000.003', 'bps less than the stated average'],
    ['1000.003', '1200', 'bps above what the sale got'],
  ] as const) {
    const checks = await ground.round({ plan: averages(saleAverage, averagePrice) });
    expect(differences(checks)).toEqual([]);
    const sale = checks.find(({ name }) => name === 'sale');
    expect([sale?.status, sale?.how]).toEqual(['unprovable', expect.stringContaining(how)]);
  }
});

it('rules without a least holding or payout are read', async () => {
  const text = honestRound()
    .lines.join('\n')
    .replace('"minHoldingUsd":"20","minPayoutUsd":"0.05"', '"minHoldingUsd":"0","minPayoutUsd":"0"');
  const { prices } = await readRoundDocument([text], 'the file');
  expect([prices.minHoldingUsd.units, prices.minPayoutUsd.units]).toEqual([0n, 0n]);
});

it('a sale without a stated average is named as open', async () => {
  const checks = await ground.round({ plan: withFacts({ saleAverage: null }) });
  expect(differences(checks)).toEqual([]);
  const sale = checks.find(({ name }) => name === 'sale');
  expect([sale?.status, sale?.how]).toEqual(['unprovable', expect.stringContaining('states no average price')]);
});

it('a sealed round that is closed unpaid is named as open, with the seal behind it', async () => {
  const checks = await ground.round({
    pays: () => [],
    afterPayouts: (coin) => ground.seal(coin, new Uint8Array(32).fill(9)),
  });
  expect(differences(checks)).toEqual([]);
  const { status, how } = checks.find(({ name }) => name === 'payouts') ?? {};
  expect([status, how]).toEqual(['unprovable', expect.stringContaining('3 of 3 rows are not paid')]);
  expect(how).toContain('the next round is sealed');
});

it('of rows that are too many some are drawn by payout, and the seed draws the same again', async () => {
  const asked = () => ({ rows: 2, seed: 'a seed' });
  const checks = await ground.round({ asked });
  const { status, how } = checks.find(({ name }) => name === 'balances') ?? {};
  expect([status, how]).toEqual(['proven', expect.stringMatching(/^[12] of 3 rows .* the seed a seed/)]);
});

it('one’s own row is checked alone, in at most ten calls', async () => {
  const chain = createRpcChain({ urls: [ground.rpcUrl] });
  const checks = await ground.round({ asked: ({ bob }) => ({ owner: bob.toBase58(), chain }) });
  expect(chain.calls).toBeLessThanOrEqual(10);
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ['document', 'proven'],
    ['sums', 'proven'],
    ['division', 'proven'],
    ['thresholds', 'proven'],
    ['seal', 'proven'],
    ['balances', 'proven'],
    ['prices', 'unprovable'],
  ]);
  expectShown('round', checks);
});
