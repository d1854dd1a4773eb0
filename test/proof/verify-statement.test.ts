import {
  AuthorityType,
  createInitializeTransferFeeConfigInstruction,
  createSetAuthorityInstruction,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { associatedAccount } from '../../client/solana/associated-account.ts';
import type { Instruction } from '../../client/solana/message.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import type { AccountState } from '../../client/verify/chain.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import { keptOf } from '../../client/verify/growing-list.ts';
import type { Landed } from '../../client/verify/landed.ts';
import type { PotStatement, ShownRow } from '../../client/verify/statement/movement-rows.ts';
import { verifyBudget } from '../../client/verify/statement/verify-budget.ts';
import { type StatementQuestion, verifyStatement } from '../../client/verify/statement/verify-statement.ts';
import {
  changeOf,
  landed,
  mintAccount,
  poolAccount,
  type Script,
  scriptedChain,
  someAddress,
  tokenAccount,
} from '../support/proof/scripted-chain.ts';
import { COIN, type Row, rowsOf, totalsOf } from '../support/proof/statement-rows.ts';

const [mint, quoteMint, pot, rewards, treasury, friend] = Array.from({ length: 6 }, someAddress) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

/** Tax of 1,000 coins, sold for 600 quote tokens, of which 550 are paid; a stranger sent 7 in between. */
const tax = landed({ signature: 'tax', slot: 10, signers: [rewards], tokens: [changeOf(pot, mint, null, 1_000n)] });
const sale = landed({
  signature: 'sale',
  slot: 11,
  signers: [pot],
  tokens: [changeOf(pot, mint, 1_000n, 0n), changeOf(pot, quoteMint, null, 600n)],
});
const gift = landed({ signature: 'gift', slot: 12, signers: [friend], tokens: [changeOf(pot, quoteMint, 600n, 607n)] });
const payout = landed({ signature: 'payout', slot: 12, signers: [pot], tokens: [changeOf(pot, quoteMint, 607n, 57n)] });

const key = (address: string) => new PublicKey(address);

/** The mint is made, with a tax that this wallet withdraws. */
const madeFor = (wallet: string): Landed =>
  landed({
    signature: 'made',
    slot: 9,
    instructions: [
      {
        program: TOKEN_2022_PROGRAM,
        accounts: [{ address: mint, isSigner: false, isWritable: true }],
        data: createInitializeTransferFeeConfigInstruction(key(mint), null, key(wallet), 100, 1n).data,
      },
    ],
  });
const made = madeFor(rewards);
const transactions = [made, tax, sale, gift, payout];

const accountOf = (owner: string, of: string, program = TOKEN_PROGRAM) =>
  associatedAccount({ wallet: owner, mint: of, program });

const accounts = {
  [mint]: mintAccount({ taxed: { bps: 100, withdrawAuthority: rewards } }),
  [accountOf(pot, mint)]: tokenAccount(pot, mint, 0n),
  [accountOf(pot, quoteMint)]: tokenAccount(pot, quoteMint, 57n),
};

const honest = rowsOf([
  { kind: 'tax', signature: 'tax', slot: 10, base: 1_000n },
  { kind: 'sale', signature: 'sale', slot: 11, base: -1_000n, quote: 600n },
  { kind: 'payout', signature: 'payout', slot: 12, quote: -550n },
]);

const statementOf = (rows: readonly ShownRow[]): PotStatement => ({
  rows,
  totals: totalsOf(rows),
  mint,
  pot,
  quoteMint,
});

interface Case {
  readonly rows?: readonly ShownRow[];
  readonly shown?: Partial<PotStatement>;
  readonly chain?: Partial<Script>;
  readonly question?: Partial<StatementQuestion>;
}

const verified = ({ rows = honest, shown = {}, chain = {}, question = {} }: Case = {}) =>
  verifyStatement({
    mint,
    statement: () => Promise.resolve({ ...statementOf(rows), ...shown }),
    source: 'the API',
    chain: scriptedChain({ transactions, accounts, ...chain }),
    ...question,
  });

it('an honest statement is proven whole, and what a stranger sent is named and no difference', async () => {
  const checks = await verified();
  expect(checks.map(({ name, status }) => [name, status])).toEqual(
    ['list', 'sums', 'rows', 'joins', 'signed', 'tax'].map((name) => [name, 'proven']),
  );
  expect(checks.find(({ name }) => name === 'joins')?.how).toContain(`7 raw units of ${quoteMint} came from others`);
  expect(exitCodeOf(checks)).toBe(0);
});

it('rows that were booked out of order join by the chain', async () => {
  expect(exitCodeOf(await verified({ rows: rowsOf(honest.toReversed().map(withAmounts)) }))).toBe(0);
});

const withAmounts = (row: ShownRow): Row => ({
  ...row,
  base: BigInt(row.baseInRaw) - BigInt(row.baseOutRaw),
  quote: BigInt(row.quoteInRaw) - BigInt(row.quoteOutRaw),
});

const now = (raw: bigint, more = {}) => ({
  ...accounts,
  [accountOf(pot, quoteMint)]: tokenAccount(pot, quoteMint, raw, more),
});
const theft = (facts: Partial<Landed>): Landed => ({ ...payout, signature: 'theft', slot: 13, ...facts });

/** A withdrawal of withheld tax (Token-2022, transfer fee extension) to this account. */
const withdrawal = (to: string): Landed =>
  landed({
    signature: 'withdrawal',
    slot: 14,
    signers: [rewards],
    instructions: [
      {
        program: TOKEN_2022_PROGRAM,
        accounts: [mint, to, rewards].map((address) => ({ address, isSigner: address === rewards, isWritable: true })),
        data: Uint8Array.of(26, 3, 1),
      },
    ],
  });

/** The rewards wallet signs for a program, with this data. */
const signedByRewards = (program: string, data: readonly number[] = []): Landed => {
  const [own] = withdrawal(friend).instructions;
  const signs = { address: rewards, isSigner: true, isWritable: true };
  const instruction = {
    program,
    accounts: [{ ...own!.accounts[0]!, address: mint }, signs],
    data: Uint8Array.from(data),
  };
  return landed({ signature: 'signed', slot: 14, signers: [rewards], instructions: [instruction] });
};

it.each<[string, Case, string]>([
  [
    'a payment of the pot outside of any round',
    {
      chain: {
        transactions: [...transactions, theft({ tokens: [changeOf(pot, quoteMint, 57n, 50n)] })],
        accounts: now(50n),
      },
    },
    'joins',
  ],
  [
    'a payment that was sent back later',
    {
      chain: {
        transactions: [
          ...transactions,
          theft({ tokens: [changeOf(pot, quoteMint, 57n, 50n)] }),
          landed({ signature: 'back', slot: 14, signers: [friend], tokens: [changeOf(pot, quoteMint, 50n, 57n)] }),
        ],
      },
    },
    'signed',
  ],
  [
    'a delegate who took tokens without the pot',
    {
      chain: {
        transactions: [...transactions, theft({ signers: [friend], tokens: [changeOf(pot, quoteMint, 57n, 50n)] })],
        accounts: now(50n),
      },
    },
    'joins',
  ],
  ['a delegate of the pot’s account', { chain: { accounts: now(57n, { delegate: friend }) } }, 'joins'],
  [
    'a second sale that the statement lacks',
    {
      chain: {
        transactions: [
          tax,
          theft({
            signature: 'second',
            slot: 10,
            tokens: [changeOf(pot, mint, 1_000n, 900n), changeOf(pot, quoteMint, null, 60n)],
          }),
          { ...sale, tokens: [changeOf(pot, mint, 900n, 0n), changeOf(pot, quoteMint, 60n, 660n)] },
          payout,
        ],
      },
    },
    'rows',
  ],
  [
    'proceeds that are stated lower',
    { rows: rowsOf(honest.map((row) => ({ ...withAmounts(row), ...(row.kind === 'sale' && { quote: 500n }) }))) },
    'rows',
  ],
  [
    'tax that was withdrawn to another account',
    { chain: { transactions: [...transactions, withdrawal(friend)] } },
    'tax',
  ],
  [
    'the right to withdraw tax that was given away, and back before now',
    { chain: { transactions: [...transactions, signedByRewards(TOKEN_2022_PROGRAM, [6, 5, 1])] } },
    'tax',
  ],
  ['a row without a transaction', { rows: rowsOf([...honest.map(withAmounts), { ...honest[2], quote: -1n }]) }, 'rows'],
  ['rows that do not add up', { shown: { totals: { ...totalsOf(honest), quoteOutRaw: '549' } } }, 'sums'],
  ['a row that was left out', { rows: rowsOf(honest.slice(0, 2).map(withAmounts)) }, 'joins'],
  [
    'a finished page that was rewritten',
    { question: { kept: keptOf(rowsOf(honest.map((row) => ({ ...withAmounts(row), slot: 9 })))) } },
    'list',
  ],
])('%s is named', async (_what, question, check) => {
  const checks = await verified(question);
  expect(checks.find(({ status }) => status === 'different')?.name).toBe(check);
  expect(exitCodeOf(checks)).toBe(1);
});

it('what the pot signed a moment ago is open, because it may not be booked yet', async () => {
  const chain = scriptedChain({ transactions, accounts });
  const checks = await verified({
    rows: rowsOf(honest.slice(0, 2).map(withAmounts)),
    question: { chain: { ...chain, head: () => Promise.resolve(20) } },
  });
  expect(exitCodeOf(checks)).toBe(2);
});

it.each([
  ['a program of one’s own', someAddress(), []],
  ['a batch of token instructions', TOKEN_2022_PROGRAM, [255]],
])('%s that the rewards wallet signs for is named: it could have withdrawn tax', async (_what, program, data) => {
  const checks = await verified({ chain: { transactions: [...transactions, signedByRewards(program, data)] } });
  expect(checks.find(({ status }) => status !== 'proven')).toMatchObject({ name: 'tax', status: 'unprovable' });
});

/** Signed by this wallet alone, of the coin's mint or an account of it. */
const tokenCall = (signature: string, by: string, account: string, data: readonly number[]): Landed =>
  landed({
    signature,
    slot: 9,
    signers: [by],
    instructions: [
      {
        program: TOKEN_2022_PROGRAM,
        accounts: [account, by].map((address) => ({ address, isSigner: address === by, isWritable: true })),
        data: Uint8Array.from(data),
      },
    ],
  });
const handOver = (from: string, to: string) =>
  createSetAuthorityInstruction(key(mint), key(from), AuthorityType.WithheldWithdraw, key(to)).data;
const passOn = (from: string, to: string) => tokenCall(`from ${from}`, from, mint, [...handOver(from, to)]);
const taxBy = (wallet: string, to: string): Landed => {
  const own = withdrawal(to);
  const accounts = [mint, to, wallet].map((address) => ({ address, isSigner: address === wallet, isWritable: true }));
  const instructions = own.instructions.map((one) => ({ ...one, accounts }));
  return { ...own, signature: `tax by ${wallet}`, slot: 9, signers: [wallet], instructions };
};
const third = someAddress();
const later = [tax, sale, gift, payout];
const taxOf = async (question: Case) => (await verified(question)).find(({ name }) => name === 'tax');

it('a wallet that withdrew the tax before the present one counts too', async () => {
  const before = [madeFor(friend), taxBy(friend, accountOf(pot, mint, TOKEN_2022_PROGRAM)), passOn(friend, rewards)];
  expect(await taxOf({ chain: { transactions: [...before, ...later] } })).toMatchObject({
    status: 'proven',
    how: `1 movements of tax by ${rewards}, and by 1 before, all to the pot or burned`,
  });
});

it.each<[string, readonly Landed[]]>([
  ['the first wallet', [madeFor(friend), taxBy(friend, accountOf(third, mint)), passOn(friend, rewards)]],
  [
    'a wallet between the first and the present one',
    [madeFor(friend), passOn(friend, third), taxBy(third, accountOf(friend, mint)), passOn(third, rewards)],
  ],
  [
    'the first wallet, which gave its account away in another transaction,',
    [
      madeFor(friend),
      tokenCall('approve', friend, accountOf(friend, mint, TOKEN_2022_PROGRAM), [4, 1]),
      passOn(friend, rewards),
    ],
  ],
])('tax that %s took elsewhere is a difference', async (_what, before) => {
  expect(await taxOf({ chain: { transactions: [...before, ...later] } })).toMatchObject({ status: 'different' });
});

it.each<[string, Case, string]>([
  ['nothing shows how the right was passed on', { chain: { transactions: [madeFor(friend), ...later] } }, 'how'],
  ['no endpoint shows how the mint was made', { chain: { transactions: later } }, 'does not show the transaction'],
  [
    'the history of the coin is too long',
    {
      question: { most: 1 },
      chain: {
        transactions: [
          ...transactions,
          ...Array.from({ length: 101 }, (_, index) => tokenCall(`dust ${index}`, third, mint, [])),
        ],
      },
    },
    'more than 100 transactions name the coin',
  ],
])('where %s, tax is open', async (_what, question, said) => {
  expect(await taxOf(question)).toMatchObject({
    status: 'unprovable',
    how: expect.stringContaining(said) as unknown,
  });
});

it('tax that the rewards wallet keeps is named as open until a round takes it to the pot', async () => {
  const own = accountOf(rewards, mint, TOKEN_2022_PROGRAM);
  const held = { ...tokenAccount(rewards, mint, 30n), program: TOKEN_2022_PROGRAM };
  const checks = await verified({
    chain: { transactions: [...transactions, withdrawal(own)], accounts: { ...accounts, [own]: held } },
  });
  const open = checks.find(({ status }) => status === 'unprovable');
  expect(open?.name).toBe('tax');
  expect(open?.how).toContain('30 raw units of tax lie with');
});

/** A harvest of 1,001 of which 50 % are set aside; a purchase of 90 coins for 300 in the coin's pool, and their burn. */
const marketPool = someAddress();
const harvested = landed({
  signature: 'harvested',
  slot: 20,
  signers: [treasury],
  tokens: [changeOf(treasury, quoteMint, 0n, 1_001n)],
});
const bought = landed({
  signature: 'bought',
  slot: 21,
  signers: [treasury],
  tokens: [
    changeOf(treasury, quoteMint, 1_001n, 701n),
    changeOf(treasury, COIN, null, 90n),
    changeOf(marketPool, quoteMint, 5_000n, 5_300n),
    changeOf(marketPool, COIN, 900n, 810n),
  ],
});

/** BurnChecked: number, amount, decimals; account, mint, owner. */
const burnOf = (of: string, raw: bigint): Instruction => {
  const data = new Uint8Array(10);
  data[0] = 15;
  new DataView(data.buffer).setBigUint64(1, raw, true);
  const named = [accountOf(treasury, of), of, treasury];
  return {
    program: TOKEN_PROGRAM,
    accounts: named.map((address) => ({ address, isSigner: address === treasury, isWritable: true })),
    data,
  };
};
const leaving = (facts: Partial<Landed> & { readonly after?: bigint }): Landed =>
  landed({
    signature: 'burned',
    slot: 22,
    signers: [treasury],
    tokens: [changeOf(treasury, COIN, 90n, facts.after ?? 0n)],
    ...facts,
  });
const burned = leaving({ instructions: [burnOf(COIN, 90n)] });
const share = { quoteRaw: '1001', quoteTokens: 1_001, shareBps: 5_000 };
const budget = rowsOf([
  { kind: 'share', signature: 'harvested', slot: 20, quote: 500n, harvest: share },
  { kind: 'purchase', signature: 'bought', slot: 21, quote: -300n },
]);

const verifiedBudget = (
  rows = budget,
  held = 701n,
  transaction = bought,
  later: readonly Landed[] = [burned],
  pool: AccountState | null = poolAccount([COIN, quoteMint]),
) =>
  verifyBudget({
    quoteMint,
    statement: () => Promise.resolve({ rows, totals: totalsOf(rows) }),
    treasuries: () => Promise.resolve([treasury]),
    source: 'the API',
    chain: scriptedChain({
      transactions: [harvested, transaction, ...later],
      accounts: {
        [accountOf(treasury, quoteMint)]: tokenAccount(treasury, quoteMint, held),
        ...(pool && { [marketPool]: pool }),
      },
    }),
  });

it('an honest budget is proven but for the prices of purchases, which are said to be open', async () => {
  const checks = await verifiedBudget();
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ...['list', 'sums', 'rows', 'cover', 'markets', 'burned'].map((name) => [name, 'proven']),
    ['prices', 'unprovable'],
  ]);
});

/** As much of the coin came in by another budget, and each amount is burned on its own. */
const alsoBought = landed({ signature: 'of another', slot: 20, tokens: [changeOf(treasury, COIN, null, 90n)] });
const both = { tokens: [changeOf(treasury, COIN, 90n, 180n)] };
const burnedFirst = leaving({ instructions: [burnOf(COIN, 90n)], tokens: [changeOf(treasury, COIN, 180n, 90n)] });

it('coins of another budget in the same account are burned beside those of this one', async () => {
  const own = { ...bought, tokens: [...bought.tokens.filter(({ mint: of }) => of !== COIN), ...both.tokens] };
  const sold = changeOf(marketPool, COIN, 900n, 810n);
  const purchase = { ...own, tokens: [...own.tokens, sold] };
  const statuses = async (...burns: readonly Landed[]) =>
    (await verifiedBudget(budget, 701n, alsoBought, [purchase, ...burns])).find(({ name }) => name === 'burned')
      ?.status;
  const last = leaving({ signature: 'burned too', slot: 23, instructions: [burnOf(COIN, 90n)] });
  expect(await statuses(burnedFirst, last)).toBe('proven');
  // One burn is not of both: it is of the older.
  expect(await statuses(burnedFirst)).toBe('unprovable');
});

it.each<[string, Parameters<typeof verifiedBudget>, string, string]>([
  [
    'a purchase from a wallet that is no pool',
    [budget, 701n, bought, [burned], null],
    'markets',
    `${marketPool} traded ${COIN}, and is no pool`,
  ],
  ['bought coins that are not burned', [budget, 701n, bought, []], 'burned', 'is not burned yet'],
])('%s are named as open', async (_what, question, check, how) => {
  const found = (await verifiedBudget(...question)).find(({ name }) => name === check);
  expect([found?.status, found?.how]).toEqual(['unprovable', expect.stringContaining(how)]);
});

it.each<[string, Parameters<typeof verifiedBudget>, string]>([
  ['a budget that was spent on something else', [budget, 199n], 'cover'],
  [
    'a share that is smaller than its part of the harvest',
    [
      rowsOf([
        { ...budget[0], quote: 499n },
        { ...budget[1], quote: -300n },
      ]),
    ],
    'rows',
  ],
  [
    'a share that leaves the budget in its own row',
    [budget.map((row) => (row.kind === 'share' ? { ...row, quoteOutRaw: '500' } : row))],
    'rows',
  ],
  [
    'what the operator took, as a share of a harvest below zero',
    [
      rowsOf([
        { ...budget[0], quote: 500n },
        {
          ...budget[1],
          kind: 'share',
          quote: -300n,
          harvest: { quoteRaw: '-300', quoteTokens: -300, shareBps: 10_000 },
        },
      ]),
    ],
    'rows',
  ],
  [
    'a harvest that is stated lower',
    [
      rowsOf([
        { ...budget[0], quote: 450n, harvest: { ...share, quoteRaw: '900' } },
        { ...budget[1], quote: -300n },
      ]),
    ],
    'rows',
  ],
  [
    'a burn of less than was bought',
    [budget, 701n, bought, [leaving({ instructions: [burnOf(COIN, 80n)], after: 10n })]],
    'burned',
  ],
  ['bought coins that went to a friend', [budget, 701n, bought, [leaving({ instructions: [] })]], 'burned'],
  [
    'a burn of another coin in the place of the bought one',
    [budget, 701n, bought, [leaving({ instructions: [burnOf(mint, 90n)] })]],
    'burned',
  ],
  ['a purchase in a pool of another coin', [budget, 701n, bought, [burned], poolAccount([mint, quoteMint])], 'markets'],
  [
    'a second purchase from another seller',
    [
      rowsOf([...budget.map(withAmounts), { kind: 'purchase', signature: 'friend', slot: 23, quote: -100n }]),
      601n,
      bought,
      [
        burned,
        landed({
          signature: 'friend',
          slot: 23,
          signers: [treasury, friend],
          tokens: [
            changeOf(treasury, quoteMint, 701n, 601n),
            changeOf(treasury, COIN, 0n, 1n),
            changeOf(friend, quoteMint, null, 100n),
            changeOf(friend, COIN, 1n, 0n),
          ],
        }),
      ],
    ],
    'markets',
  ],
  [
    'a purchase that took more than is stated',
    [budget, 701n, { ...bought, tokens: [changeOf(treasury, quoteMint, 1_001n, 601n)] }],
    'rows',
  ],
])('%s is named', async (_what, question, check) => {
  const checks = await verifiedBudget(...question);
  expect(checks.find(({ status }) => status === 'different')?.name).toBe(check);
});
