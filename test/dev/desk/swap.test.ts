import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUnits } from '../../../domain/amounts.ts';
import { type LaunchCase, nameOf } from '../../support/exchange/launch-request.ts';
import type { LaunchUnderTest } from '../../support/exchange/launched-pool.ts';
import type { TestChain } from '../../support/exchange/test-chain.ts';
import { dataOf, expectRefusal } from '../../support/desk/answers.ts';
import { type DeskUnderTest, startDesk, wallet } from '../../support/desk/desk-app.ts';
import {
  chainOf,
  holdings,
  launchToken,
  openTrader,
  signAndSend,
  type Trader,
} from '../../support/desk/desk-market.ts';

const SwapSchema = Type.Object({
  transaction: Type.String({ minLength: 1 }),
  amountIn: Type.String(),
  amountOut: Type.String(),
  lastValidBlockHeight: Type.Integer(),
});

const standard = { fee: { mode: 'standard', feeTier: '1%' }, devBuy: false } as const;
const CASES: readonly LaunchCase[] = [
  { ...standard, baseFirst: true, quoteProgram: 'classic' },
  { ...standard, baseFirst: false, quoteProgram: 'classic' },
  { ...standard, baseFirst: true, quoteProgram: 'token-2022' },
  { ...standard, baseFirst: false, quoteProgram: 'token-2022' },
  { fee: { mode: 'reward', rewardTaxBps: 300 }, baseFirst: true, quoteProgram: 'classic', devBuy: false },
  { fee: { mode: 'reward', rewardTaxBps: 100 }, baseFirst: false, quoteProgram: 'token-2022', devBuy: false },
];

let desk: DeskUnderTest;
let chain: TestChain;
let launch: LaunchUnderTest;
beforeAll(async () => {
  desk = await startDesk();
  chain = await chainOf(desk);
  launch = await launchToken(desk, chain, { ...standard, baseFirst: true, quoteProgram: 'classic' });
});
afterAll(() => desk.close());

const mintOf = ({ request }: LaunchUnderTest) => request.base.mint.toBase58();

async function order(of: LaunchUnderTest, { address }: Trader, side: 'buy' | 'sell', amount: string) {
  return dataOf(await desk.post('swap', { mint: mintOf(of), wallet: address, side, amount }), SwapSchema);
}

/** Lands a swap and expects that it moved exactly the amounts it was announced with. */
async function expectSwap(of: LaunchUnderTest, trader: Trader, side: 'buy' | 'sell', amount: string) {
  const before = await holdings(of, trader.wallet.publicKey);
  const answer = await order(of, trader, side, amount);
  expect(await signAndSend(desk, answer.transaction, trader.wallet)).toBeNull();
  const after = await holdings(of, trader.wallet.publicKey);
  const { base, quote } = of.request;
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const [amountIn, amountOut] = [
    parseUnits(answer.amountIn, input.decimals),
    parseUnits(answer.amountOut, output.decimals),
  ];
  expect(amountIn).toBe(parseUnits(amount, input.decimals));
  expect(amountOut).toBeGreaterThan(0n);
  const moved = { base: after.base - before.base, quote: after.quote - before.quote };
  expect(moved).toEqual(side === 'buy' ? { base: amountOut, quote: -amountIn } : { base: -amountIn, quote: amountOut });
}

describe.each(CASES.map((launchCase) => ({ name: nameOf(launchCase), launchCase })))('$name', ({ launchCase }) => {
  test('a wallet buys, making its token account, and sells, for exactly what was announced', async () => {
    const launched = await launchToken(desk, chain, launchCase);
    const trader = await openTrader(launched);
    await expectSwap(launched, trader, 'buy', '250.5');
    await expectSwap(launched, trader, 'sell', '1234567.891');
    await expectSwap(launched, trader, 'buy', '0.001');
  });
});

test('the transaction is v0, paid by the wallet, and lacks only its signature', async () => {
  const trader = await openTrader(launch);
  const { transaction } = await order(launch, trader, 'buy', '1');
  const { version, message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  expect(version).toBe(0);
  expect(message.staticAccountKeys[0]?.toBase58()).toBe(trader.address);
  expect(signatures.map((signature) => signature.some((byte) => byte !== 0))).toEqual([false, true, true]);
});

test('another wallet’s signature does not make it valid', async () => {
  const trader = await openTrader(launch);
  const { transaction } = await order(launch, trader, 'buy', '1');
  await expect(signAndSend(desk, transaction, Keypair.generate())).rejects.toThrow(/non signer/);
});

test('of two swaps made on one state only the first lands; asked again, the second one does too', async () => {
  const [first, second] = [await openTrader(launch), await openTrader(launch)];
  const [early, late] = [await order(launch, first, 'buy', '5'), await order(launch, second, 'buy', '6')];
  expect(await signAndSend(desk, early.transaction, first.wallet)).toBeNull();
  expect(await signAndSend(desk, late.transaction, second.wallet)).not.toBeNull();
  expect((await holdings(launch, second.wallet.publicKey)).base).toBe(0n);
  await expectSwap(launch, second, 'buy', '6');
});

test('a swap that the pool cannot fill is 409 with the reason', async () => {
  const fresh = await launchToken(desk, chain, { ...standard, baseFirst: true, quoteProgram: 'classic' });
  const trader = await openTrader(fresh);
  const sell = { mint: mintOf(fresh), wallet: trader.address, side: 'sell', amount: '1000' };
  expectRefusal(await desk.post('swap', sell), 409, /not fillable/);
});

test('a wallet that has too little of the input is told so', async () => {
  const ask = (address: string, side: string, amount: string) =>
    desk.post('swap', { mint: mintOf(launch), wallet: address, side, amount });
  const { address } = await openTrader(launch);
  expectRefusal(await ask(address, 'buy', '100000.5'), 409, /has 100000 of .*, the swap takes 100000.5/);
  expectRefusal(await ask(wallet(), 'buy', '1'), 409, /has 0 of/);
});

test('a token that was not launched here is 404, a token whose pool is not on the chain 409', async () => {
  const ask = (mint: string) => desk.post('swap', { mint, wallet: wallet(), side: 'buy', amount: '1' });
  expectRefusal(await ask(wallet()), 404, /no launched token/);
  const gone = await launchToken(desk, chain, { ...standard, baseFirst: true, quoteProgram: 'classic' });
  desk.localnet.control.setAccounts([[gone.pool.toBase58(), null]]);
  expectRefusal(await ask(mintOf(gone)), 409, /is not on the chain/);
});

const [program] = PublicKey.findProgramAddressSync([Buffer.from('vault')], Keypair.generate().publicKey);
test.each([
  ['an unknown side', { side: 'short' }, /"side" must be one of buy, sell/],
  ['a number as amount', { amount: 1 }, /"amount" must be text/],
  ['an amount of nothing', { amount: '0' }, /amount "0" must be more than 0/],
  ['too many fraction digits', { amount: '0.0000001' }, /at most 6 fraction digits/],
  ['a wallet that cannot sign', { wallet: program.toBase58() }, /cannot sign/],
  ['a wallet that is no address', { wallet: 'z'.repeat(44) }, /not a Solana address/],
  ['an unknown field', { slippage: 1 }, /unknown body field "slippage"/],
])('it refuses %s', async (_case, change, message) => {
  const body = { mint: mintOf(launch), wallet: wallet(), side: 'buy', amount: '1', ...change };
  expectRefusal(await desk.post('swap', body), 400, message);
});
