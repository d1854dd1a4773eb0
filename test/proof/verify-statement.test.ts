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
const transactions = [tax, sale, gift, payout];

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

/** The rewards wallet signs for a program, with this data. */
const signedByRewards = (program: string, data: readonly number[] = []): Landed => {
  const accounts = [mint, rewards].map((address) => ({ address, isSigner: address === rewards, isWritable: true }));
  const instruction = { program, accounts, data: Uint8Array.from(data) };
  return landed({ signature: 'signed', slot: 14, signers: [rewards], instructions: [instruction] });
};

it.each<[string, Case, string]>([
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
  ['bought coins that are not burned', [budget, 701n, bought, []], 'burned', 'is not burned yet'],
])('%s are named as open', async (_what, question, check, how) => {
  const found = (await verifiedBudget(...question)).find(({ name }) => name === check);
  expect([found?.status, found?.how]).toEqual(['unprovable', expect.stringContaining(how)]);
});

it.each<[string, Parameters<typeof verifiedBudget>, string]>([
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
    'a purchase that took more than is stated',
    [budget, 701n, { ...bought, tokens: [changeOf(treasury, quoteMint, 1_001n, 601n)] }],
    'rows',
  ],
])('%s is named', async (_what, question, check) => {
  const checks = await verifiedBudget(...question);
  expect(checks.find(({ status }) => status === 'different')?.name).toBe(check);
});
