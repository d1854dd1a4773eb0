import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  decodePoolState,
  POOL_STATE,
  priceInTradedPart,
  TRADED_PART,
} from '../../../../chain/exchange/raydium/accounts/pool-state.ts';
import { accountDiscriminator } from '../../../../chain/exchange/raydium/discriminators.ts';
import { CLMM_PROGRAM_ID } from '../../../../chain/exchange/raydium/programs.ts';
import { fingerprint } from '../../../../chain/market/pool-changes.ts';

const data = randomBytes(POOL_STATE.bytes);
accountDiscriminator(POOL_STATE.name).copy(data);
const accountOf = (bytes: Buffer) => ({ data: bytes, owner: CLMM_PROGRAM_ID, lamports: 1, executable: false });
const flipped = (at: number): Buffer => {
  const bytes = Buffer.from(data);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};

/** What a swap writes. */
function traded(bytes: Buffer): unknown {
  const pool = decodePoolState(Keypair.generate().publicKey, accountOf(bytes));
  const { liquidity, sqrtPriceX64, tick, feeGrowth0X64, feeGrowth1X64, protocolFees0, protocolFees1 } = pool;
  return { liquidity, sqrtPriceX64, tick, feeGrowth0X64, feeGrowth1X64, protocolFees0, protocolFees1 };
}

test('the part that every swap changes holds price, liquidity, fee growth and the protocol’s fees, and no more', () => {
  const end = TRADED_PART.offset + TRADED_PART.length;
  const before = traded(data);
  const holds = (at: number): boolean => JSON.stringify(traded(flipped(at)), asText) !== JSON.stringify(before, asText);
  for (const at of [TRADED_PART.offset, end - 1]) expect(holds(at), `byte ${at}`).toBe(true);
  for (let at = 8; at < POOL_STATE.bytes; at++) {
    if (holds(at)) expect(at >= TRADED_PART.offset && at < end, `byte ${at}`).toBe(true);
  }
});

test('its price is the one that the whole account tells', () => {
  const part = data.subarray(TRADED_PART.offset, TRADED_PART.offset + TRADED_PART.length);
  const { sqrtPriceX64 } = decodePoolState(Keypair.generate().publicKey, accountOf(data));
  expect(priceInTradedPart(part)).toBe(sqrtPriceX64);
});

test('a swap that leaves price, tick and liquidity as they were is seen by the fees that it paid', () => {
  const seen = fingerprint(accountOf(data), TRADED_PART);
  const feeGrowth0 = 277;
  expect(fingerprint(accountOf(flipped(feeGrowth0)), TRADED_PART)).not.toBe(seen);
  expect(fingerprint(accountOf(flipped(TRADED_PART.offset + TRADED_PART.length)), TRADED_PART)).toBe(seen);
});

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
