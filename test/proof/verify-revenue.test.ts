import { PublicKey } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { decodePersonalPosition } from '../../chain/exchange/raydium/accounts/personal-position.ts';
import { decodePoolState } from '../../chain/exchange/raydium/accounts/pool-state.ts';
import { decodeTickArray } from '../../chain/exchange/raydium/accounts/tick-array.ts';
import { positionFees, tickOf } from '../../chain/exchange/raydium/fees.ts';
import { RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM, TOKEN_PROGRAM } from '../../client/solana/programs.ts';
import type { AccountState } from '../../client/verify/chain.ts';
import { exitCodeOf } from '../../client/verify/check.ts';
import { earnedFees } from '../../client/verify/revenue/pool-growth.ts';
import { type ShownRevenue, verifyRevenue } from '../../client/verify/revenue/verify-revenue.ts';
import { type Growth, grownPool, LOWER, UPPER, write } from '../support/proof/grown-pool.ts';
import { changeOf, landed, mintAccount, scriptedChain, someAddress } from '../support/proof/scripted-chain.ts';
import { rowsOf, totalsOf } from '../support/proof/statement-rows.ts';

const [coin, quoteMint, treasury, pool, position, lower, upper, friend, platform] = Array.from(
  { length: 9 },
  someAddress,
) as [string, string, string, string, string, string, string, string, string];

const poolAccounts = (growth: Growth): Readonly<Record<string, AccountState>> =>
  grownPool({ coin, quoteMint, pool, position, lower, upper }, growth);

/** The pool grew by 12 a unit; the position was paid up to 10, so 10,000 were harvested and 2,000 can be. */
const grown: Growth = { total: 12n, outsideLower: 0n, last: 10n };

it.each<[string, Growth]>([
  ['inside the range', grown],
  ['below the range', { ...grown, outsideLower: 5n, tick: LOWER - 1 }],
  ['with growth below the range', { ...grown, outsideLower: 2n, last: 7n }],
])('what a position can collect is what the service computes: %s', (_where, growth) => {
  const accounts = poolAccounts(growth);
  const at = (address: string) => {
    const account = accounts[address];
    if (!account) throw new Error(`${address} is not in the script`);
    return account;
  };
  const info = (address: string) => ({
    executable: false,
    lamports: 1,
    owner: new PublicKey(RAYDIUM_CLMM_PROGRAM),
    data: Buffer.from(at(address).data),
  });
  const key = new PublicKey(pool);
  const ticks = [lower, upper].flatMap((address) => decodeTickArray(key, info(address)).ticks);
  const fees = positionFees(
    decodePoolState(key, info(pool)),
    decodePersonalPosition(key, info(position)),
    tickOf(ticks, LOWER),
    tickOf(ticks, UPPER),
  );
  const earned = earnedFees(at(pool), at(position), [at(lower), at(upper)]);
  expect(earned?.claimable).toEqual(fees);
});

const collect = {
  program: RAYDIUM_LOCK_PROGRAM,
  accounts: Array.from({ length: 20 }, (_, place) => {
    const address = { 6: position, 7: pool, 11: lower, 12: upper }[place] ?? friend;
    return { address, isSigner: false, isWritable: true };
  }),
  data: Uint8Array.of(16),
};

const harvest = (signature: string, slot: number, before: bigint, after: bigint) =>
  landed({
    signature,
    slot,
    signers: [treasury],
    instructions: [collect],
    tokens: [changeOf(treasury, quoteMint, before, after), changeOf(platform, coin, 0n, after / 100n)],
  });

/** The platform wallet burns the coins of a harvest. */
const burn = (signature: string, slot: number, raw: bigint) => {
  const data = new Uint8Array(10);
  data[0] = 15;
  write(data, 1, raw, 8);
  const { account } = changeOf(platform, coin, null, 0n);
  const named = [account, coin, platform].map((address) => ({
    address,
    isSigner: address === platform,
    isWritable: true,
  }));
  return landed({
    signature,
    slot,
    signers: [platform],
    instructions: [{ program: TOKEN_PROGRAM, accounts: named, data }],
    tokens: [changeOf(platform, coin, raw, 0n)],
  });
};

const harvests = [harvest('first', 20, 0n, 4_000n), harvest('second', 30, 4_000n, 10_000n)];
const transactions = [...harvests, burn('first burn', 21, 40n), burn('second burn', 31, 100n)];

const row = (signature: string, slot: number, quote: bigint, day: string) => ({
  mint: coin,
  signature,
  slot,
  quote,
  landedAt: `${day}T10:00:00.000Z`,
  valueUsd: Number(quote) / 1_000,
});
const rows = rowsOf([row('first', 20, 4_000n, '2026-11-20'), row('second', 30, 6_000n, '2026-11-22')]);

const daysOf = (revenues: readonly number[]) =>
  revenues.map((dailyRevenue, index) => ({
    date: `2026-11-${20 + index}`,
    dailyRevenue,
    dailyHoldersRevenue: 0,
    dailyProtocolRevenue: dailyRevenue,
    dailyHoldersSpent: 0,
  }));

const shownOf = (own = rows, days = [4, 0, 6]): ShownRevenue => ({
  statements: [{ rows: own, totals: totalsOf(own), quoteMint }],
  history: {
    network: 'mainnet-beta',
    unit: 'USD',
    start: '2026-11-20',
    source: 'ledger',
    coverage: { revenueRows: own.length, revenueRowsUnpriced: 0, buybackRows: 0, buybackRowsUnpriced: 0 },
    days: daysOf(days),
  },
  treasuries: [treasury],
  platforms: [platform],
});

const verified = (revenue = shownOf(), growth = grown, landedOnes = transactions) =>
  verifyRevenue({
    revenue: () => Promise.resolve(revenue),
    source: 'the API',
    chain: scriptedChain({
      transactions: landedOnes,
      accounts: { ...poolAccounts(growth), [quoteMint]: mintAccount({}) },
    }),
  });

it('honest revenue is proven but for its prices, which are said to be stated', async () => {
  const checks = await verified();
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ...['list', 'sums', 'days', 'rows', 'growth', 'burned'].map((name) => [name, 'proven']),
    ['prices', 'unprovable'],
  ]);
  expect(exitCodeOf(checks)).toBe(2);
});

it('each harvest may round down by less than a unit', async () => {
  const [first, second, ...burns] = transactions;
  const rounded = rowsOf([row('first', 20, 4_000n, '2026-11-20'), row('second', 30, 5_999n, '2026-11-22')]);
  if (!first || !second) throw new Error('two harvests are needed');
  const less = { ...second, tokens: [changeOf(treasury, quoteMint, 4_000n, 9_999n), ...second.tokens.slice(1)] };
  const checks = await verified(shownOf(rounded), grown, [first, less, ...burns]);
  expect(checks.filter(({ status }) => status !== 'proven').map(({ name }) => name)).toEqual(['prices']);
});

it.each<[string, Parameters<typeof verified>, string]>([
  ['fees that were harvested elsewhere', [shownOf(), { ...grown, total: 15n, last: 13n }], 'growth'],
])('%s is named', async (_what, question, check) => {
  const checks = await verified(...question);
  expect(checks.find(({ status }) => status === 'different')?.name).toBe(check);
  expect(exitCodeOf(checks)).toBe(1);
});
