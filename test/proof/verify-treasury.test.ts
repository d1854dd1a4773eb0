import { expect, it } from 'vitest';
import type { Instruction } from '../../client/solana/message.ts';
import { MEMO_PROGRAM, RAYDIUM_LOCK_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import type { Landed } from '../../client/verify/landed.ts';
import { type ShownTreasury, verifyTreasury } from '../../client/verify/treasury/verify-treasury.ts';
import type { WalletEntry } from '../../client/verify/wallets/wallet-list.ts';
import { changeOf, landed, scriptedChain, someAddress, tokenAccount } from '../support/proof/scripted-chain.ts';
import { rowsOf, totalsOf } from '../support/proof/statement-rows.ts';

const [quoteMint, treasury, platform, pot, restock, launchWallet, mint, friend] = Array.from(
  { length: 8 },
  someAddress,
) as [string, string, string, string, string, string, string, string];

const wallets: WalletEntry[] = (
  [
    ['treasury', treasury],
    ['platform', platform],
    ['pot', pot],
    ['restock', restock],
  ] as const
).map(([role, address], index) => ({
  number: index + 1,
  role,
  address,
  mint: role === 'pot' ? mint : null,
  event: 'used',
  slot: 1,
  notedAt: '2026-11-21T12:00:00.000Z',
}));

const own = (before: bigint | null, after: bigint) => changeOf(treasury, quoteMint, before, after);
const { account } = own(null, 0n);

const named = (program: string, data: Uint8Array, ...addresses: readonly string[]): Instruction => ({
  program,
  data,
  accounts: addresses.map((address) => ({ address, isSigner: address === treasury, isWritable: true })),
});

const makesMint = [
  named(TOKEN_PROGRAM, Uint8Array.of(20), mint),
  named(MEMO_PROGRAM, new TextEncoder().encode('launch/07b1e5fa-5fdf-4cc8-83ce-2e2174a98464/2')),
];

/** Restock, stranger's gift, harvest (half of it set aside), dev buy, purchase, rent, and what the operator took. */
const transactions: readonly Landed[] = [
  landed({ signature: 'restocked', slot: 10, signers: [platform, restock, treasury], tokens: [own(null, 5_000n)] }),
  landed({ signature: 'gift', slot: 11, signers: [friend], tokens: [own(5_000n, 5_007n)] }),
  landed({ signature: 'harvested', slot: 12, signers: [platform], tokens: [own(5_007n, 6_008n)] }),
  landed({
    signature: 'dev buy',
    slot: 13,
    signers: [launchWallet, mint, treasury],
    instructions: makesMint,
    tokens: [own(6_008n, 4_008n), changeOf(launchWallet, quoteMint, null, 2_000n)],
  }),
  landed({ signature: 'bought', slot: 13, signers: [platform, treasury], tokens: [own(4_008n, 3_708n)] }),
  landed({ signature: 'rent', slot: 14, signers: [platform, pot], tokens: [own(3_708n, 3_718n)] }),
  landed({ signature: 'taken', slot: 15, signers: [treasury], tokens: [own(3_718n, 3_018n)] }),
];

const statement = (rows: ReturnType<typeof rowsOf>) => ({ rows, totals: totalsOf(rows) });
const harvest = { quoteRaw: '1001', quoteTokens: 1_001, shareBps: 5_000 };
const documents: ShownTreasury = {
  revenue: statement(rowsOf([{ signature: 'harvested', slot: 12, quote: 1_001n }])),
  budgets: [
    statement(
      rowsOf([
        { kind: 'share', signature: 'harvested', slot: 12, quote: 500n, harvest },
        { kind: 'purchase', signature: 'bought', slot: 13, quote: -300n },
      ]),
    ),
    statement([]),
  ],
  wallets,
};

interface Scene {
  readonly shown?: Partial<ShownTreasury>;
  readonly chain?: readonly Landed[];
  readonly held?: bigint;
  readonly powers?: Parameters<typeof tokenAccount>[3];
  readonly head?: number;
}

function verified({ shown = {}, chain = transactions, held = 3_018n, powers, head }: Scene = {}) {
  const state = tokenAccount(treasury, quoteMint, held, powers);
  const script = scriptedChain({ transactions: chain, accounts: { [account]: state } });
  return verifyTreasury({
    quoteMint,
    treasury: () => Promise.resolve({ ...documents, ...shown }),
    source: 'the API',
    chain: { ...script, ...(head !== undefined && { head: () => Promise.resolve(head) }) },
  });
}

it('an honest treasury closes to the unit, and each movement has its kind', async () => {
  const checks = await verified();
  expect(checks.map(({ name, status }) => [name, status])).toEqual(
    ['list', 'sums', 'shares', 'joins', 'closes', 'rows', 'cover'].map((name) => [name, 'proven']),
  );
  const { how } = checks.find(({ name }) => name === 'closes') ?? {};
  expect(how).toBe(
    'in: 5000 restocks, 7 foreign income, 1001 harvests, 10 rents of holders; ' +
      'out: 2000 dev buys, 300 purchases, 700 taken by the operator (taken); held: 3018',
  );
  expect(exitCodeOf(checks)).toBe(0);
});

it('transactions of one slot join by their balances, in whatever order the endpoint lists them', async () => {
  const [first, second, third, devBuy, bought, ...rest] = transactions;
  if (!first || !second || !third || !devBuy || !bought) throw new Error('the script is too short');
  expect(exitCodeOf(await verified({ chain: [first, second, third, bought, devBuy, ...rest] }))).toBe(0);
});

it('a coin that is paid to a friend by the form of a dev buy is taken by the operator', async () => {
  const chain = transactions.map((one) =>
    one.signature === 'dev buy' ? { ...one, tokens: one.tokens.slice(0, 1) } : one,
  );
  const closes = (await verified({ chain })).find(({ name }) => name === 'closes');
  expect(closes?.how).toContain('2700 taken by the operator (dev buy, taken)');
});

it('a dev buy that pays a friend too, and a theft beside a burn of one unit, are taken by the operator', async () => {
  const [gains, burn] = [changeOf(friend, quoteMint, null, 500n), new Uint8Array(9)];
  burn.set([8, 1]);
  const chain = transactions.map((one) => {
    if (one.signature === 'dev buy') return { ...one, tokens: [...one.tokens, gains] };
    return one.signature === 'taken' ? { ...one, instructions: [named(TOKEN_PROGRAM, burn, account)] } : one;
  });
  const closes = (await verified({ chain })).find(({ name }) => name === 'closes');
  expect(closes?.how).toContain('2700 taken by the operator (dev buy, taken)');
});

const budgetOf = (...rows: Parameters<typeof rowsOf>[0]) => statement(rowsOf(rows));
const shared = { kind: 'share', signature: 'harvested', slot: 12, quote: 500n, harvest } as const;
const purchase = { kind: 'purchase', signature: 'bought', slot: 13, quote: -300n } as const;

/** Collects the fees of the position whose Fee Key the holder has. */
const collected = (signature: string, slot: number, holder: string): Landed =>
  landed({
    signature,
    slot,
    signers: [platform],
    instructions: [
      {
        program: RAYDIUM_LOCK_PROGRAM,
        data: new Uint8Array(8),
        accounts: [quoteMint, holder].map((address) => ({ address, isSigner: address === holder, isWritable: false })),
      },
    ],
    tokens: [own(3_018n, 3_118n)],
  });
const secretly = (holder = platform, slot = 16) => ({
  chain: [...transactions, collected('secret', slot, holder)],
  held: 3_118n,
});

/** A second harvest, of 100, and the share of it that the budget states. */
const twice = (shareBps: number | null): Scene => {
  const raw = shareBps === null ? null : BigInt(shareBps) / 100n;
  const second = { signature: 'second', slot: 16 };
  const share = { quoteRaw: '100', quoteTokens: 100, shareBps: shareBps ?? 0 };
  const rows = [shared, purchase, ...(raw === null ? [] : [{ ...shared, ...second, quote: raw, harvest: share }])];
  return {
    chain: [...transactions, collected('second', 16, platform)],
    held: 3_118n,
    shown: {
      revenue: budgetOf({ signature: 'harvested', slot: 12, quote: 1_001n }, { ...second, quote: 100n }),
      budgets: [budgetOf(...rows), budgetOf()],
    },
  };
};

it('the rates of all shares are printed, and one that rises is no difference', async () => {
  const checks = await verified(twice(6_000));
  expect(exitCodeOf(checks)).toBe(0);
  expect(checks.find(({ name }) => name === 'shares')?.how).toContain(
    'buyback 5000 bps of 1 harvests, 6000 bps of 1 harvests; flywheel nothing',
  );
});

it('fees that a creator claims, with the platform as payer, are no harvest of the platform', async () => {
  expect(exitCodeOf(await verified(secretly(treasury)))).toBe(0);
});

const later = { signature: 'later', slot: 10_001, quote: 50n };

it.each<[string, Scene, string]>([
  [
    'a row of a slot that the endpoint has not reached',
    {
      head: 10_000,
      shown: { revenue: statement(rowsOf([{ signature: 'harvested', slot: 12, quote: 1_001n }, later])), budgets: [] },
    },
    'rows',
  ],
  [
    'a transaction that the endpoint lacks',
    { chain: transactions.filter(({ signature }) => signature !== 'gift') },
    'joins',
  ],
  ['a balance that no transaction explains', { held: 3_000n }, 'joins'],
  ['what left moments ago and is in no document', { head: 20 }, 'closes'],
  ['a harvest without a share in a budget that has others', twice(null), 'shares'],
  ['a share at a lower rate than before', twice(100), 'shares'],
  ['a harvest of moments ago that the revenue lacks', { ...secretly(platform, 10_000), head: 10_010 }, 'closes'],
])('%s is named as open', async (_what, scene, check) => {
  const checks = await verified(scene);
  expect(checks.find(({ status }) => status !== 'proven')).toMatchObject({ name: check, status: 'unprovable' });
  expect(exitCodeOf(checks)).toBe(2);
});

const stolen = (facts: Partial<Landed>) => {
  const theft = landed({ signature: 'theft', slot: 16, signers: [treasury], tokens: [own(3_018n, 18n)], ...facts });
  return { chain: [...transactions, theft], held: 18n };
};

it.each<[string, Scene, string]>([
  ['another key that may close an account of the treasury', { powers: { closeAuthority: friend } }, 'joins'],
  ['tokens that left without the treasury', stolen({ signers: [friend] }), 'closes'],
  [
    'a harvest that went elsewhere',
    {
      shown: {
        revenue: statement(
          rowsOf([
            { signature: 'harvested', slot: 12, quote: 1_001n },
            { signature: 'elsewhere', slot: 12, quote: 50n },
          ]),
        ),
      },
    },
    'rows',
  ],
  [
    'a purchase that two budgets pay with',
    { shown: { budgets: [budgetOf(shared, purchase), budgetOf(shared, purchase)] } },
    'rows',
  ],
  [
    'a share of a harvest that never came',
    { shown: { budgets: [budgetOf({ ...shared, signature: 'elsewhere' }), budgetOf()] } },
    'rows',
  ],
  [
    'a share that takes from its budget',
    {
      shown: {
        budgets: [
          budgetOf(shared, {
            ...shared,
            signature: 'taken',
            slot: 15,
            quote: -700n,
            harvest: { quoteRaw: '-700', quoteTokens: -700, shareBps: 10_000 },
          }),
          budgetOf(),
        ],
      },
    },
    'rows',
  ],
  ['a list of wallets with a gap', { shown: { wallets: wallets.filter(({ number }) => number !== 2) } }, 'list'],
])('%s is named', async (_what, scene, check) => {
  const checks = await verified(scene);
  expect(checks.find(({ status }) => status === 'different')?.name).toBe(check);
  expect(exitCodeOf(checks)).toBe(1);
});
