import type { AccountInfo, PublicKey } from '@solana/web3.js';
import type { AccountPart } from '../../exchange.ts';
import { type AccountKind, AccountReader, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** Layout `PoolState` of the program's published interface. */
export const POOL_STATE: AccountKind = { name: 'PoolState', program: CLMM_PROGRAM_ID, bytes: 1_544 };

/**
 * `liquidity`, `sqrt_price_x64`, `tick_current`, both `fee_growth_global` and both `protocol_fees_token`, which the program writes with
 * every swap. What a swap pays its fee into only grows: the fee growth, or the protocol's fees where nobody provides liquidity. (One of
 * a few units, where liquidity is beyond 2^64, may change nothing in the whole account.)
 */
export const TRADED_PART: AccountPart = { offset: 237, length: 88 };

/** Its `sqrt_price_x64`, which lies behind the `liquidity`. */
export function priceInTradedPart(part: Buffer): bigint {
  const liquidityBytes = 16;
  return new AccountReader(part, liquidityBytes).u128();
}

const REWARD_INFOS_BYTES = 3 * 169;
const BITMAP_WORDS = 16;

/** A pool account's fields. Amounts are raw units, prices Q64.64 square roots of token1 per token0. */
export interface PoolAccount {
  readonly ammConfig: PublicKey;
  /** Wallet that made the pool. */
  readonly owner: PublicKey;
  readonly token0: PublicKey;
  readonly token1: PublicKey;
  readonly vault0: PublicKey;
  readonly vault1: PublicKey;
  readonly tickSpacing: number;
  /** Liquidity active at the present tick. */
  readonly liquidity: bigint;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  readonly feeGrowth0X64: bigint;
  readonly feeGrowth1X64: bigint;
  readonly protocolFees0: bigint;
  readonly protocolFees1: bigint;
  /** Bits of what Raydium has switched off: 1 deposits, 2 withdrawals, 4 fees, 8 rewards, 16 swaps, 32 limit orders. */
  readonly status: number;
  /** 0 = fees are taken in the input token, 1 = in token0 alone, 2 = in token1 alone. */
  readonly feeOn: number;
  /** Initialised tick arrays as one number of 1,024 bits. */
  readonly tickArrayBitmap: bigint;
  readonly fundFees0: bigint;
  readonly fundFees1: bigint;
}

/** Decodes a pool account. Throws when it is none. */
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
