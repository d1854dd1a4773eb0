import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token';
import { Connection, Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { InstructionGroup, LaunchPoolRequest, PoolState } from '../../chain/exchange/exchange.ts';
import { sqrtPriceAtTick } from '../../chain/exchange/pool-math.ts';
import { createStandInKeys } from '../../dev/stand-in/keys.ts';
import { createStandInExchange } from '../../dev/stand-in/stand-in-exchange.ts';
import { type StandInState, openingState, rangeOf, swapPoolOf } from '../../dev/stand-in/state.ts';
import { encodeState } from '../../dev/stand-in/state-text.ts';
import { buildHarvest } from '../../dev/stand-in/trade.ts';
import { deriveLane } from '../../chain/lanes/lane.ts';
import { createStamp } from '../../chain/lanes/stamp.ts';
import { compileTransaction, MAX_TRANSACTION_BYTES } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { drawParties, type LaunchCase, nameOf, poolRequest } from '../support/exchange/launch-request.ts';
import { accountOf } from '../support/exchange/test-chain.ts';
import { testSecret } from '../support/lanes/stamps.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

const SECRET = { seed: new Uint8Array(32).fill(3), genesisHash: 'genesis' };
const UUID = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e';
// Nothing is sent here: the connection is never used.
const EXCHANGE = createStandInExchange({ ...SECRET, connection: new Connection('http://127.0.0.1:9') });

const FEES = [
  { mode: 'standard', feeTier: '1%' },
  { mode: 'standard', feeTier: '2%' },
  { mode: 'reward', rewardTaxBps: 300 },
] as const;
const CASES: readonly LaunchCase[] = FEES.flatMap((fee) =>
  [true, false].flatMap((baseFirst) =>
    (['classic', 'token-2022'] as const).map((quoteProgram) => ({ fee, baseFirst, quoteProgram, devBuy: true })),
  ),
);

describe.each(CASES.map((launch) => ({ name: nameOf(launch), launch })))('bytes: $name', ({ launch }) => {
  test('pool and locks fit one packet with priority fee, tip and purpose memo, without a lookup table', async () => {
    const { request, wallet } = await requestOf(launch);
    const tip = SystemProgram.transfer({
      fromPubkey: wallet,
      toPubkey: Keypair.generate().publicKey,
      lamports: 10_000,
    });
    const purpose = memoInstruction(`launch/${UUID}/3`);
    expect(bytesOf(wallet, EXCHANGE.buildPool(request), [purpose])).toBeLessThanOrEqual(1_120);
    expect(bytesOf(wallet, EXCHANGE.buildLocks(request), [tip, purpose])).toBeLessThanOrEqual(1_120);
  });

  test('a swap fits on a pool whose every number is as large as it can get', async () => {
    const { request } = await requestOf(launch);
    const { state, pool } = worstState(request, launch);
    const owner = Keypair.generate().publicKey;
    const group = EXCHANGE.buildSwap({
      state: poolStateOf(request, pool, state),
      base: request.base,
      quote: request.quote,
      side: 'buy',
      exact: 'in',
      amount: 1_000_000n,
      limit: 1n,
      owner,
      inputTokenAccount: accountOf(request.quote, owner),
      outputTokenAccount: accountOf(request.base, owner),
    });
    const open = [openAccount(request.base, owner)];
    expect(bytesOf(owner, group, open)).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
  });

  test('a sale of the platform’s fits with its step and its tip, after a thousand times the supply was traded', async () => {
    const { request } = await requestOf(launch);
    const { state, pool } = worstState(request, launch, 84n);
    const [platform, pot] = [Keypair.generate(), Keypair.generate()];
    const lane = await deriveLane({ platform: platform.publicKey, treasury: pot.publicKey }, 'test', 0);
    const purpose = `reward/${UUID}/9` as Purpose;
    const stamp = createStamp({ lane, signer: platform, secret: testSecret(), purpose, from: 0n, blockhash: '' });
    const group = EXCHANGE.buildSwap({
      state: poolStateOf(request, pool, state),
      base: request.base,
      quote: request.quote,
      side: 'sell',
      exact: 'in',
      amount: 10n ** 17n,
      limit: 1n,
      owner: pot.publicKey,
      inputTokenAccount: accountOf(request.base, pot.publicKey),
      outputTokenAccount: accountOf(request.quote, pot.publicKey),
    });
    const toPubkey = Keypair.generate().publicKey;
    const tip = SystemProgram.transfer({ fromPubkey: platform.publicKey, toPubkey, lamports: 10_000_000 });
    const instructions = stamp.mark([...group.instructions, tip]);
    expect(bytesOf(platform.publicKey, { ...group, instructions }, [])).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
  });

  test('a claim fits with a durable nonce of the platform, two new token accounts and its purpose memo', async () => {
    const { request } = await requestOf(launch);
    const { state, pool } = worstState(request, launch);
    const [holder, platform] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const [baseAccount, quoteAccount] = [accountOf(request.base, holder), accountOf(request.quote, holder)];
    const feeKeyMint = feeKeysOf(request)[0];
    const { base, quote } = request;
    const poolState = poolStateOf(request, pool, state);
    const keys = createStandInKeys(SECRET);
    const harvest = { pool: poolState, base, quote, feeKeyMint, holder, baseAccount, quoteAccount };
    const group = buildHarvest(keys, harvest, accountOf({ ...quote, mint: feeKeyMint }, holder));
    const nonce = { noncePubkey: Keypair.generate().publicKey, authorizedPubkey: platform };
    const before = [SystemProgram.nonceAdvance(nonce), openAccount(base, holder), openAccount(quote, holder)];
    const bytes = bytesOf(holder, group, [...before, memoInstruction(claimPurpose(UUID))]);
    expect(bytes).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
  });
});

async function requestOf(launch: LaunchCase) {
  const quoteMint = Keypair.generate().publicKey;
  const parties = drawParties(quoteMint, launch.baseFirst);
  return { request: await poolRequest(EXCHANGE, launch, parties, quoteMint), wallet: parties.wallet.publicKey };
}

function feeKeysOf({ addresses }: LaunchPoolRequest): [PublicKey, PublicKey] {
  const [first, second] = addresses.feeKeyMints;
  return [new PublicKey(first), new PublicKey(second)];
}

/** A pool deep in its range with growths of so many bits. */
function worstState(request: LaunchPoolRequest, launch: LaunchCase, growthBits = 127n) {
  const tier = feeModelOf(launch.fee).poolFeeTier;
  const opening = openingState(request.plan, tier, feeKeysOf(request));
  const tick = launch.baseFirst ? opening.openTick + 60_000 : opening.openTick - 60_000;
  const growth = (1n << growthBits) - 12_345n;
  const state: StandInState = {
    ...opening,
    sequence: 2 ** 32 - 2,
    tick,
    sqrtPriceX64: sqrtPriceAtTick(tick),
    growthX64: [growth, growth],
    collectedX64: [
      [growth - (1n << 64n), growth - (1n << 64n)],
      [growth - (1n << 65n), growth - (1n << 65n)],
    ],
  };
  return { state, pool: EXCHANGE.poolAddress(request.base.mint, request.quote.mint, tier) };
}

function poolStateOf({ plan, base, quote }: LaunchPoolRequest, pool: PublicKey, state: StandInState): PoolState {
  const [token0, token1] = state.baseIsToken0 ? [base, quote] : [quote, base];
  const { liquidity: activeLiquidity, ticks } = swapPoolOf(state);
  return {
    pool,
    token0: token0.mint,
    token1: token1.mint,
    vault0: accountOf(token0, pool),
    vault1: accountOf(token1, pool),
    fees: plan.fees,
    sqrtPriceX64: state.sqrtPriceX64,
    tick: state.tick,
    liquidity: state.liquidity[0] + state.liquidity[1],
    ...rangeOf(state),
    feeGrowth0X64: state.growthX64[0],
    feeGrowth1X64: state.growthX64[1],
    activeLiquidity,
    ticks,
    adapterState: encodeState(state),
    slot: 0,
  };
}

function openAccount(token: TokenInfo, owner: PublicKey): TransactionInstruction {
  const { mint, tokenProgram } = token;
  return createAssociatedTokenAccountIdempotentInstruction(owner, accountOf(token, owner), owner, mint, tokenProgram);
}

function bytesOf(payer: PublicKey, group: InstructionGroup, others: readonly TransactionInstruction[]): number {
  const { message } = compileTransaction({
    payer,
    instructions: [...others, ...group.instructions],
    computeUnits: 400_000,
    computeUnitPrice: 100_000n,
    blockhash: Keypair.generate().publicKey.toBase58(),
  });
  return 1 + 64 * message.header.numRequiredSignatures + message.serialize().length;
}
