import type { Connection, PublicKey } from '@solana/web3.js';
import type { FeeTier } from '../../../domain/token-facts.ts';
import type { PoolFees } from '../exchange.ts';
import { OUTERMOST_TICK } from '../opening.ts';
import { TierClosedError } from '../tier-closed.ts';
import { decodeAmmConfig } from './accounts/amm-config.ts';
import { ammConfigAddress } from './addresses.ts';
import { fitsOwnBitmap } from './tick-arrays.ts';

/** Which of Raydium's fee configurations a tier's pools are made under. */
const CONFIG_INDEX = { '1%': 3, '2%': 9 } as const satisfies Record<FeeTier, number>;

/** Trade fee that a tier promises, in ppm of the input. */
const PROMISED_FEE_PPM = { '1%': 10_000, '2%': 20_000 } as const satisfies Record<FeeTier, number>;

/** Fee configuration of a tier. */
export function configOf(tier: FeeTier): PublicKey {
  return ammConfigAddress(CONFIG_INDEX[tier]);
}

/**
 * Reads a tier's rates from the chain. Throws a TierClosedError when there is no such configuration, or when Raydium has
 * changed it so that it is no longer the tier that is offered.
 */
export async function readTierFees(connection: Connection, tier: FeeTier): Promise<PoolFees> {
  const address = configOf(tier);
  const account = await connection.getAccountInfo(address, 'confirmed');
  if (!account) throw new TierClosedError(tier, `there is no configuration ${address.toBase58()}`);
  const { fees } = decodeAmmConfig(address, account);
  if (fees.feePpm !== PROMISED_FEE_PPM[tier]) {
    throw new TierClosedError(tier, `its configuration ${address.toBase58()} takes ${fees.feePpm} ppm`);
  }
  if (OUTERMOST_TICK % fees.tickSpacing !== 0 || !fitsOwnBitmap(fees.tickSpacing, OUTERMOST_TICK)) {
    throw new TierClosedError(tier, `launches do not fit a tick spacing of ${fees.tickSpacing}`);
  }
  return fees;
}
