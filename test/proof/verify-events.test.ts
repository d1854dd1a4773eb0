import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SlipwayEvent } from '../../client/index.ts';
import { MEMO_PROGRAM, RAYDIUM_CLMM_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import type { Chain, Commitment } from '../../client/verify/chain.ts';
import { Difference } from '../../client/verify/check.ts';
import { createEventVerifier, exitCodeOfEvents } from '../../client/verify/event/verify-events.ts';
import type { Landed, TokenChange } from '../../client/verify/landed.ts';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';

const address = () => Keypair.generate().publicKey.toBase58();
const [mint, quoteMint, wallet, pool] = [address(), address(), address(), address()];
const [platform, treasury] = [address(), address()];
const SLOT = 500;
/** Long ago: no endpoint is waited for. */
const recordedAt = '2026-01-01T00:00:00.000Z';

const change = (owner: string, of: string, gain: bigint): TokenChange => ({
  account: address(),
  owner,
  mint: of,
  before: 1_000_000n,
  after: 1_000_000n + gain,
});

function landed(signature: string, changed: Partial<Landed> = {}): Landed {
  const swap = { program: RAYDIUM_CLMM_PROGRAM, accounts: [], data: Uint8Array.of(1) };
  const base = { signature, slot: SLOT, hasFailed: false, signers: [wallet, platform], instructions: [swap] };
  return { ...base, loaded: [], tokens: [], lamports: new Map(), ...changed };
}

interface Scene {
  readonly finalized?: readonly Landed[];
  /** Beside the finalized ones. */
  readonly confirmed?: readonly Landed[];
  readonly block?: readonly string[];
}

function chainOf({ finalized = [], confirmed = [], block }: Scene): Chain {
  const unasked = () => Promise.reject(new Error('nothing else is to be read'));
  return {
    name: 'the chain',
    calls: 0,
    genesisHash: unasked,
    history: unasked,
    accounts: (addresses) => Promise.resolve(addresses.map(() => null)),
    firstBlock: (slot) => Promise.resolve({ slot: block ? slot : slot + 1, blockhash: 'x' }),
    block: () => Promise.resolve({ blockhash: 'x', signatures: block ?? [] }),
    transaction: (signature: string, commitment: Commitment = 'finalized') => {
      const known = commitment === 'confirmed' ? [...finalized, ...confirmed] : finalized;
      return Promise.resolve(known.find((one) => one.signature === signature) ?? null);
    },
  };
}

let id = 0;
const event = (type: SlipwayEvent['type'], facts: Partial<SlipwayEvent>): SlipwayEvent => ({
  id: `cursor${++id}`,
  type,
  recordedAt,
  mint,
  wallet,
  creator: wallet,
  ...facts,
});

type Trade = NonNullable<SlipwayEvent['trade']>;
const amounts = { amountTokens: 1, quoteTokens: 1, priceQuote: 1, priceUsd: null, valueUsd: null };
const trade = (type: SlipwayEvent['type'], facts: Partial<Trade> = {}) =>
  event(type, {
    trade: {
      signature: 'swap',
      index: 0,
      slot: SLOT,
      tradedAt: recordedAt,
      side: 'buy',
      amountRaw: '100',
      quoteRaw: '7',
      quoteMint,
      ...amounts,
      ...facts,
    },
  });
/** A purchase of 100 for 7, of which a transfer tax of 5 is withheld. */
const swap = landed('swap', {
  tokens: [
    change(pool, mint, -100n),
    change(pool, quoteMint, 7n),
    change(wallet, mint, 95n),
    change(wallet, quoteMint, -7n),
  ],
});
const untaxed = landed('swap', {
  tokens: [
    change(pool, mint, -100n),
    change(pool, quoteMint, 7n),
    change(wallet, mint, 100n),
    change(wallet, quoteMint, -7n),
  ],
});
/** Others around it, so that its group is whole. */
const around = (one: SlipwayEvent) => [event('switch.changed', {}), one, event('switch.changed', {})];

const payout = (facts: object = {}) =>
  event('payout.paid', {
    payout: {
      roundId: 'round',
      roundNumber: 1,
      quoteMint,
      amountTokens: 1,
      amountRaw: '40',
      valueUsd: null,
      signature: 'paid',
      slot: SLOT,
      paidAt: recordedAt,
      ...facts,
    },
  });
const paid = landed('paid', { tokens: [change(pool, quoteMint, -40n), change(wallet, quoteMint, 40n)] });

const claim = event('claim.paid', {
  claim: {
    intentId: 'i',
    signature: 'claimed',
    slot: SLOT,
    quoteMint,
    baseTokens: 1,
    baseRaw: '9',
    quoteTokens: 1,
    quoteRaw: '3',
  },
});
/** One more came in before it landed. */
const claimed = landed('claimed', { tokens: [change(wallet, mint, 9n), change(wallet, quoteMint, 4n)] });

const harvest = (facts: object = {}) =>
  event('harvest', {
    wallet: null,
    harvest: {
      signature: 'harvested',
      slot: SLOT,
      quoteMint,
      quoteTokens: 1,
      quoteRaw: '12',
      baseTokens: 1,
      baseRaw: '5',
      valueUsd: null,
      buybackBps: 5_000,
      harvestedAt: recordedAt,
      ...facts,
    },
  });
const harvested = landed('harvested', {
  signers: [platform],
  tokens: [
    change(pool, mint, -5n),
    change(pool, quoteMint, -12n),
    change(platform, mint, 5n),
    change(treasury, quoteMint, 12n),
  ],
});

const burn = event('burn', {
  burn: {
    signature: 'burned',
    valueUsdAtBurn: null,
    source: 'auto',
    burnedAt: recordedAt,
    amountTokens: 1,
    amountRaw: '300',
  },
});
const account = (one: string) => ({ address: one, isSigner: false, isWritable: true });
const burnOf = (raw: number) => ({
  program: TOKEN_PROGRAM,
  accounts: [account(address()), account(mint), account(platform)],
  data: Uint8Array.of(15, raw % 256, Math.floor(raw / 256), 0, 0, 0, 0, 0, 0, 9),
});
const burned = landed('burned', { instructions: [burnOf(300)] });

const buyback = event('buyback', {
  buyback: {
    kind: 'buyback',
    quoteMint,
    spentTokens: 1,
    spentRaw: '7',
    spentValueUsd: null,
    boughtTokens: 1,
    boughtRaw: '95',
    signature: 'swap',
    slot: SLOT,
  },
});

const launch = (type: SlipwayEvent['type'], refundSignature: string | null) =>
  event(type, { launch: { quoteId: 'q', paymentSignature: 'payment', refundSignature, slot: SLOT } });
const launchWallet = address();
const memo = (text: string) => ({
  program: MEMO_PROGRAM,
  accounts: [{ address: launchWallet, isSigner: true, isWritable: false }],
  data: new TextEncoder().encode(text),
});
const paidFor = (quoteId: string) =>
  landed('payment', {
    slot: SLOT - 1,
    signers: [wallet, launchWallet],
    instructions: [memo(`launch/${quoteId}/1`)],
    lamports: new Map([[wallet, -50n]]),
  });
const payment = paidFor('q');
const refund = landed('refund', { signers: [platform, launchWallet], lamports: new Map([[wallet, 50n]]) });

const statusesOf = async (scene: Scene, events: readonly SlipwayEvent[]) => {
  const verifier = createEventVerifier(chainOf(scene));
  const verified = await verifier.verify(events);
  const statuses = verified.flatMap(({ check }) => (check ? [check.status] : []));
  return { statuses, exitCode: exitCodeOfEvents(verifier.tally), verified };
};

it.each<[string, Scene, SlipwayEvent]>([
  ['a final trade', { finalized: [swap] }, trade('trade.final')],
  ['a confirmed trade, before it is final', { confirmed: [swap] }, trade('trade.confirmed')],
  ['a withdrawn trade whose slot has no block', {}, trade('trade.withdrawn')],
  ['a withdrawn trade that the block of its slot lacks', { block: ['another'] }, trade('trade.withdrawn')],
  ['a payout', { finalized: [paid] }, payout()],
  ['a claim that collected more than was prepared', { finalized: [claimed] }, claim],
  ['a harvest', { finalized: [harvested] }, harvest()],
  ['a harvest of quote tokens alone', { finalized: [harvested] }, harvest({ baseRaw: '0' })],
  ['a burn', { finalized: [burned] }, burn],
  ['a purchase', { finalized: [swap] }, buyback],
  ['a launch', { confirmed: [payment] }, launch('launch.completed', null)],
  ['a refund', { finalized: [payment, refund] }, launch('launch.refunded', 'refund')],
])('%s that the chain has is proven', async (_what, scene, one) => {
  expect(await statusesOf(scene, around(one))).toMatchObject({ statuses: ['proven'], exitCode: 0 });
});

it.each<[string, Scene, SlipwayEvent]>([
  ['failed', { finalized: [{ ...paid, hasFailed: true }] }, payout()],
  ['is of another slot', { finalized: [paid] }, payout({ slot: SLOT + 1 })],
  ['paid another amount', { finalized: [paid] }, payout({ amountRaw: '41' })],
  ['paid another wallet', { finalized: [paid] }, { ...payout(), wallet: platform }],
  ['paid less than was claimable', { finalized: [claimed] }, { ...claim, mint: quoteMint }],
  ['brought other revenue', { finalized: [harvested] }, harvest({ quoteRaw: '11' })],
  ['brought fewer coins', { finalized: [harvested] }, harvest({ baseRaw: '6' })],
  ['burned less', { finalized: [landed('burned', { instructions: [burnOf(299)] })] }, burn],
  ['traded other amounts', { finalized: [swap] }, trade('trade.final', { amountRaw: '101' })],
  ['traded nothing', { finalized: [landed('swap')] }, trade('trade.final')],
  ['was a sale', { finalized: [swap] }, trade('trade.final', { side: 'sell' })],
  ['was a sale, without a tax', { finalized: [untaxed] }, trade('trade.final', { side: 'sell' })],
  [
    'was a sale by another wallet',
    { finalized: [untaxed] },
    { ...trade('trade.final', { side: 'sell' }), wallet: platform },
  ],
  ['spent more', { finalized: [{ ...swap, signers: [pool] }] }, buyback],
  [
    'gave less back',
    { finalized: [payment, { ...refund, lamports: new Map([[wallet, 49n]]) }] },
    launch('launch.refunded', 'refund'),
  ],
  [
    'is what a stranger paid the creator, as a refund',
    { finalized: [payment, { ...refund, signers: [platform] }] },
    launch('launch.refunded', 'refund'),
  ],
  ['paid for another quote', { confirmed: [paidFor('other')] }, launch('launch.completed', null)],
  [
    'was paid by another wallet',
    { confirmed: [{ ...payment, signers: [platform] }] },
    launch('launch.completed', null),
  ],
])('an event whose transaction %s is a difference', async (_what, scene, one) => {
  expect(await statusesOf(scene, around(one))).toMatchObject({ statuses: ['different'], exitCode: 1 });
});

describe('an event is open', () => {
  it.each<[string, Scene, SlipwayEvent]>([
    ['whose transaction no endpoint has', {}, payout()],
    ['that is final, of a transaction that is only confirmed', { confirmed: [paid] }, payout()],
    ['withdrawn from a block that has it still', { block: ['swap'] }, trade('trade.withdrawn')],
    [
      'of a transaction that also moved liquidity',
      { finalized: [{ ...swap, instructions: [...swap.instructions, ...swap.instructions] }] },
      trade('trade.final', { amountRaw: '101' }),
    ],
  ])('%s', async (_what, scene, one) => {
    expect(await statusesOf(scene, around(one))).toMatchObject({ statuses: ['unprovable'], exitCode: 2 });
  });

  it('of a confirmed trade that a fork moved, until its withdrawal comes', async () => {
    const verifier = createEventVerifier(chainOf({ finalized: [{ ...swap, slot: SLOT + 1 }] }));
    await verifier.verify([trade('trade.confirmed')]);
    expect(exitCodeOfEvents(verifier.tally)).toBe(2);
    await verifier.verify([trade('trade.withdrawn'), trade('trade.confirmed', { slot: SLOT + 1 })]);
    expect(verifier.tally).toEqual({ proven: 2, different: 0, open: 0, unchecked: 0 });
  });
});

it('several trades of one transaction are checked together, and a part of them is no difference', async () => {
  const both = landed('swap', { tokens: [...swap.tokens, ...swap.tokens] });
  const [first, second] = [trade('trade.final'), trade('trade.final', { index: 1 })];
  const ends = () => event('switch.changed', {});
  expect(await statusesOf({ finalized: [both] }, [ends(), first, second, ends()])).toMatchObject({
    statuses: ['proven', 'proven'],
  });
  expect(await statusesOf({ finalized: [both] }, [ends(), first])).toMatchObject({ statuses: ['unprovable'] });
});

it('invented trades that cancel each other are not proven, beside a real one or alone', async () => {
  const invented = { amountRaw: '1000', quoteRaw: '70' };
  const [bought, sold] = (['buy', 'sell'] as const).map((side, at) =>
    trade('trade.final', { ...invented, side, index: at + 1 }),
  );
  const ends = () => event('switch.changed', {});
  const beside = await statusesOf({ finalized: [swap] }, [ends(), trade('trade.final'), bought!, sold!, ends()]);
  expect(beside.statuses).toEqual(['unprovable', 'unprovable', 'unprovable']);
  const alone = await statusesOf({ finalized: [swap] }, [ends(), bought!, sold!, ends()]);
  expect(alone.statuses).toEqual(['unprovable', 'unprovable']);
});

it.each<[string, Scene, SlipwayEvent]>([
  ['payout', { finalized: [paid] }, { ...payout(), mint: pool }],
  ['claim', { finalized: [claimed] }, claim],
  ['burn', { finalized: [burned] }, { ...burn, wallet: platform }],
  ['purchase', { finalized: [swap] }, buyback],
  ['harvest', { finalized: [harvested] }, { ...harvest({ baseRaw: '0' }), mint: pool }],
])('a second event about a %s is a difference, and the same event read again is none', async (_what, scene, one) => {
  const [first, second] = [
    { ...one, mint },
    { ...one, id: 'another' },
  ];
  const verifier = createEventVerifier(chainOf(scene));
  expect((await verifier.verify([first, first])).map(({ check }) => check?.status)).toEqual(['proven', 'proven']);
  expect((await verifier.verify([second]))[0]?.check).toMatchObject({
    status: 'different',
    how: 'two events tell one movement',
  });
});

it('two payouts of one transaction to two wallets are proven', async () => {
  const both = landed('paid', { tokens: [change(wallet, quoteMint, 40n), change(platform, quoteMint, 40n)] });
  const events = [payout(), { ...payout(), wallet: platform }];
  expect(await statusesOf({ finalized: [both] }, events)).toMatchObject({ statuses: ['proven', 'proven'] });
});

it('an endpoint that is behind a young event is asked again', async () => {
  let asked = 0;
  const behind: Chain = {
    ...chainOf({}),
    transaction: async () => {
      asked += 1;
      if (asked === 1) throw new Difference('two differ', { value: '1', from: 'a' }, { value: '2', from: 'b' });
      return asked === 2 ? null : paid;
    },
  };
  let now = Date.parse(recordedAt) + 1_000;
  const patience = { now: () => now, sleep: async (ms: number) => void (now += ms) };
  const verifier = createEventVerifier(behind, patience);
  expect((await verifier.verify([payout()]))[0]?.check).toMatchObject({ status: 'proven' });
  expect(asked).toBe(3);
});

it('every type of event that names a transaction is checked, and no other', async () => {
  const file = join(import.meta.dirname, '../../api/openapi/examples.json');
  const examples = JSON.parse(readFileSync(file, 'utf8')) as {
    'GET /events': { data: { events: readonly SlipwayEvent[] } };
  };
  const { events } = examples['GET /events'].data;
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(EVENT_TYPES.toSorted());
  const { verified } = await statusesOf({}, events);
  for (const { event: one, check } of verified) {
    const namesOne = /"\w*[sS]ignature":"/.test(JSON.stringify(one));
    expect([one.type, check !== null]).toEqual([one.type, namesOne]);
  }
});
