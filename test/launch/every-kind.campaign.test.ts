import { getMint, getTransferFeeConfig, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentNetworkFee } from '../../chain/launch/payment.ts';
import { MAX_TRANSACTION_BYTES } from '../../chain/transactions/compile.ts';
import * as switches from '../../db/platform/switches.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { launchPrefix } from '../../domain/purpose.ts';
import { chargeOf, landedMemos, paymentOf, readChainFacts } from '../support/platform/chain-facts.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { addressOf } from '../support/platform/secrets.ts';

let platform: Platform;
beforeAll(async () => {
  // Several launches at once share the processor: a blockhash must live long enough for the slowest.
  platform = await startPlatform({ slotMs: 50 });
  await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test', note: 'for this test' });
});
afterAll(() => platform.close());

/** As long as each field may be. */
const LONGEST = { name: 'W'.repeat(32), symbol: 'W'.repeat(10), website: `https://w.io/${'w'.repeat(187)}` };

const MODES: [string, object, number][] = [
  ['standard 1 %', { mode: 'standard', feeTier: '1%' }, 0],
  ['standard 2 %', { mode: 'standard', feeTier: '2%' }, 0],
  ['reward 1 %', { mode: 'reward', rewardTaxBps: 100 }, 100],
  ['reward 3 %', { mode: 'reward', rewardTaxBps: 300 }, 300],
];

/** A mint that sorts before most, one that sorts after most, so that base and quote stand in both orders. */
const PAIRS = ['USDL', 'LBIT'].map((symbol) => SEED_PAIRS.find((pair) => pair.symbol === symbol)!);

const CASES = MODES.flatMap(([mode, fields, tax]) =>
  PAIRS.flatMap((pair) =>
    [false, true].map((devBuy) => {
      const what = `${mode} against ${pair.symbol}, ${devBuy ? 'with' : 'without'} a dev buy`;
      return [what, { fields, tax, pair, devBuy }] as const;
    }),
  ),
);

describe('a launch with the longest texts is as promised on the chain, and every transaction fits a packet', () => {
  it.concurrent.each(CASES)('%s', async (_what, { fields, tax, pair, devBuy }) => {
    const creator = await createCreator(platform, 10);
    const before = await creator.balance();
    const body = { ...LONGEST, ...fields, quoteMint: pair.mint.toBase58(), ...(devBuy && { devBuyPercent: 1 }) };
    const { prepared, answer } = await creator.launchToEnd(body);
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed', mint: prepared.mint } });

    const mint = new PublicKey(prepared.mint);
    const program = tax === 0 ? TOKEN_PROGRAM_ID : TOKEN_2022_PROGRAM_ID;
    const state = await getMint(platform.connection, mint, 'confirmed', program);
    expect(state).toMatchObject({ supply: TOTAL_SUPPLY_RAW, decimals: 9, mintAuthority: null, freezeAuthority: null });
    const feeConfig = tax === 0 ? null : getTransferFeeConfig(state);
    expect(feeConfig?.newerTransferFee.transferFeeBasisPoints ?? 0).toBe(tax);
    if (feeConfig) expect(feeConfig.transferFeeConfigAuthority.equals(PublicKey.default)).toBe(true);

    const { positions } = await readChainFacts(platform, creator, prepared);
    const first = tax === 0 ? creator.address.toBase58() : addressOf(platform.secrets.REWARDS_SECRET_KEY);
    const second = addressOf(platform.secrets.PLATFORM_SECRET_KEY);
    expect(positions.map(({ holder, locked }) => [holder, locked])).toEqual([
      [first, true],
      [second, true],
    ]);

    expect(await landedMemos(platform, prepared)).toHaveLength(4);
    const charge = await chargeOf(platform, await paymentOf(platform, prepared));
    expect(charge).toBe(before - (await creator.balance()));
    expect(charge - prepared.payment.lamports).toBe(Number(paymentNetworkFee(50_000n)));
    expect(await bought(creator.address, mint, program)).toBe(devBuy);
    expect(Math.max(...(await sizes(prepared.quoteId)))).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
  });
});

async function bought(owner: PublicKey, mint: PublicKey, programId: PublicKey): Promise<boolean> {
  const { value } = await platform.connection.getParsedTokenAccountsByOwner(owner, { programId });
  const own = value.map(
    ({ account }) => account.data.parsed as { info: { mint: string; tokenAmount: { amount: string } } },
  );
  const amount = BigInt(own.find(({ info }) => info.mint === mint.toBase58())?.info.tokenAmount.amount ?? '0');
  if (amount > 0n) expect(Number((amount * 10_000n) / TOTAL_SUPPLY_RAW)).toBeGreaterThanOrEqual(96);
  return amount > 0n;
}

/** Bytes of each transaction of a launch. */
async function sizes(quoteId: string): Promise<number[]> {
  const rows = await platform.db
    .selectFrom('chainTransactions')
    .select('wire')
    .where('purpose', 'like', `${launchPrefix(quoteId)}%` as never)
    .execute();
  return rows.map(({ wire }) => wire.length);
}
