import type { AccountInfo, PublicKey } from '@solana/web3.js';
import type { AccountPart } from '../../exchange.ts';
import { type AccountKind, AccountReader, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** `PoolState` of the published interface. */
export const POOL_STATE: AccountKind = { name: 'PoolState', program: CLMM_PROGRAM_ID, bytes: 1_544 };

/**
 * `liquidity`, `sqrt_price_x64`, `tick_current`, both `fee_growth_global`, both `protocol_fees_token`. Every swap
 * writes them, and one only grows. (With liquidity beyond 2^64 a swap of a few units may change nothing.)
 */
export const TRADED_PART: AccountPart = { offset: 237, length: 88 };

/** The price follows `liquidity`. */
export function priceInTradedPart(part: Buffer): bigint {
  const liquidityBytes = 16;
  return new AccountReader(part, liquidityBytes).u128();
}

const REWARD_INFOS_BYTES = 3 * 169;
const BITMAP_WORDS = 16;

/** A decoded pool. Amounts are raw; prices Q64.64 square roots of token1 per token0. */
export interface PoolAccount {
  readonly ammConfig: PublicKey;
  readonly owner: PublicKey;
  readonly token0: PublicKey;
  readonly token1: PublicKey;
  readonly vault0: PublicKey;
  readonly vault1: PublicKey;
  readonly tickSpacing: number;
  /** At the current tick. */
  readonly liquidity: bigint;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly feeGrowth0X64: bigint;
  readonly feeGrowth1X64: bigint;
  readonly protocolFees0: bigint;
  readonly protocolFees1: bigint;
  /** Disabled bits: 1 deposits, 2 withdrawals, 4 fees, 8 rewards, 16 swaps, 32 limit orders. */
  readonly status: number;
  /** 0 = the input token, 1 = token0, 2 = token1. */
  readonly feeOn: number;
  /** 1,024 bits. */
  readonly tickArrayBitmap: bigint;
  readonly fundFees0: bigint;
  readonly fundFees1: bigint;
}

export function decodePoolState(address: PublicKey, account: AccountInfo<Buffer> | null): PoolAccount {
  const reader = openAccount(address, account, POOL_STATE).skip(1);
  return { ...decodeTokens(reader), ...decodePrice(reader), ...decodeFees(reader) };
}

function decodeTokens(reader: AccountReader) {
  const [ammConfig, owner] = [reader.key(), reader.key()];
  const [token0, token1] = [reader.key(), reader.key()];
  const [vault0, vault1] = [reader.key(), reader.key()];
  const observationAndDecimals = 32 + 2;
  reader.skip(observationAndDecimals);
  return { ammConfig, owner, token0, token1, vault0, vault1 };
}

function decodePrice(reader: AccountReader) {
  const tickSpacing = reader.u16();
  const liquidity = reader.u128();
  const sqrtPriceX64 = reader.u128();
  const tick = reader.i32();
  reader.skip(4);
  return { tickSpacing, liquidity, sqrtPriceX64, tick };
}

function decodeFees(reader: AccountReader) {
  const [feeGrowth0X64, feeGrowth1X64] = [reader.u128(), reader.u128()];
  const [protocolFees0, protocolFees1] = [reader.u64(), reader.u64()];
  reader.skip(4 * 16);
  const [status, feeOn] = [reader.u8(), reader.u8()];
  reader.skip(6 + REWARD_INFOS_BYTES);
  const tickArrayBitmap = readBitmap(reader);
  reader.skip(4 * 8);
  const [fundFees0, fundFees1] = [reader.u64(), reader.u64()];
  return {
    feeGrowth0X64,
    feeGrowth1X64,
    protocolFees0,
    protocolFees1,
    status,
    feeOn,
    tickArrayBitmap,
    fundFees0,
    fundFees1,
  };
}

function readBitmap(reader: AccountReader): bigint {
  let bitmap = 0n;
  for (let word = 0; word < BITMAP_WORDS; word++) bitmap |= reader.u64() << BigInt(64 * word);
  return bitmap;
}
