import { accountDiscriminator } from '../../../chain/exchange/raydium/discriminators.ts';
import { addressBytes } from '../../../client/solana/bytes.ts';
import { RAYDIUM_CLMM_PROGRAM } from '../../../client/solana/programs.ts';
import type { AccountState } from '../../../client/verify/chain.ts';

const Q64 = 1n << 64n;
export const [LOWER, UPPER] = [-7_200, 443_520];

/** Growth in quote tokens per unit of liquidity. */
export interface Growth {
  /** Of the pool, ever. */
  readonly total: bigint;
  readonly outsideLower: bigint;
  /** When the position was paid last. */
  readonly last: bigint;
  readonly tick?: number;
}

/** Addresses of a pool and of its position. */
export interface PoolPlace {
  readonly coin: string;
  readonly quoteMint: string;
  readonly pool: string;
  readonly position: string;
  readonly lower: string;
  readonly upper: string;
}

/** Accounts of a pool of coin and quote token, whose position has 1,000 units of liquidity. */
export function grownPool(place: PoolPlace, { total, outsideLower, last, tick = 0 }: Growth) {
  const { coin, quoteMint, pool, position, lower, upper } = place;
  const state = raydium('PoolState', 1_544);
  state.data.set(addressBytes(coin), 73);
  state.data.set(addressBytes(quoteMint), 105);
  write(state.data, 269, BigInt(tick), 4);
  write(state.data, 293, total * Q64, 16);
  const own = raydium('PersonalPositionState', 281);
  own.data.set(addressBytes(pool), 41);
  write(own.data, 73, BigInt(LOWER), 4);
  write(own.data, 77, BigInt(UPPER), 4);
  write(own.data, 81, 1_000n, 16);
  write(own.data, 113, last * Q64, 16);
  const array = (first: number, outside: bigint) => {
    const one = raydium('TickArrayState', 10_240);
    write(one.data, 44 + 168, BigInt(first), 4);
    write(one.data, 44 + 168 + 20, 1n, 16);
    write(one.data, 44 + 168 + 52, outside * Q64, 16);
    return one;
  };
  return { [pool]: state, [position]: own, [lower]: array(LOWER, outsideLower), [upper]: array(UPPER, 0n) };
}

/** Writes an integer in little endian. */
export function write(data: Uint8Array, at: number, value: bigint, bytes: number): void {
  for (let index = 0; index < bytes; index++)
    data[at + index] = Number((BigInt.asUintN(bytes * 8, value) >> BigInt(8 * index)) & 255n);
}

function raydium(name: string, bytes: number): AccountState {
  const data = new Uint8Array(bytes);
  data.set(accountDiscriminator(name));
  return { program: RAYDIUM_CLMM_PROGRAM, data };
}
