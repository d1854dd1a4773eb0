import { Keypair, MessageV0, type PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { decodeSwaps } from '../../../../chain/exchange/raydium/decode.ts';
import { CLMM, key } from '../../../support/exchange/raydium/golden.ts';

const FORGER = key(77).toBase58();

/** A `SwapEvent` by its published layout: 1,000 of token0 in, 900 + 9 of tax of token1 out, price 2^64, tick -3. */
function swapEvent(pool: PublicKey, sender: PublicKey): string {
  const amounts = Buffer.alloc(32);
  [1_000n, 0n, 900n, 9n].forEach((amount, index) => amounts.writeBigUInt64LE(amount, 8 * index));
  const after = Buffer.alloc(37);
  after.writeUInt8(1, 0);
  after.writeBigUInt64LE(1n, 9);
  after.writeInt32LE(-3, 33);
  const head = Buffer.from('40c6cde8260871e2', 'hex');
  const keys = [pool, sender, key(5), key(6)].map((each) => each.toBuffer());
  return `Program data: ${Buffer.concat([head, ...keys, amounts, after]).toString('base64')}`;
}

function landed(logMessages: string[], err: object | null = null): VersionedTransactionResponse {
  const payer = Keypair.generate().publicKey;
  const message = MessageV0.compile({ payerKey: payer, instructions: [], recentBlockhash: FORGER });
  const meta = { err, fee: 5_000, preBalances: [], postBalances: [], logMessages };
  return { slot: 1, transaction: { message, signatures: [] }, meta, version: 0 };
}

const swapOf = (pool: PublicKey, program = CLMM.toBase58()) => [
  `Program ${program} invoke [1]`,
  'Program log: Instruction: SwapV2',
  'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]',
  'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA success',
  swapEvent(pool, key(8)),
  `Program ${program} success`,
];

test('a swap is told by the event that the program logged, with the output gross of its tax', () => {
  expect(decodeSwaps(landed(swapOf(key(1))), () => true)).toEqual([
    {
      pool: key(1),
      side: 'sell',
      wallet: key(8),
      baseRaw: 1_000n,
      quoteRaw: 909n,
      sqrtPriceAfterX64: 1n << 64n,
      tickAfter: -3,
      mark: String(1n << 64n),
    },
  ]);
  expect(decodeSwaps(landed(swapOf(key(1))), () => false)[0]).toMatchObject({ side: 'buy', baseRaw: 909n });
});

test('an event that another program wrote is no swap, not even from within a call of the exchange', () => {
  expect(decodeSwaps(landed(swapOf(key(1), FORGER)), () => true)).toEqual([]);
  const nested = [`Program ${CLMM.toBase58()} invoke [1]`, ...swapOf(key(1), FORGER)];
  expect(decodeSwaps(landed(nested), () => true)).toEqual([]);
});

test('swaps of pools that are no launches, and those of a failed transaction, are left out', () => {
  const both = [...swapOf(key(1)), ...swapOf(key(2))];
  const onlySecond = (pool: PublicKey) => (pool.equals(key(2)) ? true : undefined);
  expect(decodeSwaps(landed(both), onlySecond).map(({ pool }) => pool)).toEqual([key(2)]);
  expect(decodeSwaps(landed(both, { InstructionError: [0, 'Custom'] }), () => true)).toEqual([]);
});
