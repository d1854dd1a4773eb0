import type { AccountInfo, PublicKey } from '@solana/web3.js';
import type { PoolFees } from '../../exchange.ts';
import { type AccountKind, openAccount } from '../account-reader.ts';
import { CLMM_PROGRAM_ID } from '../programs.ts';

/** `AmmConfig` of the published interface. */
export const AMM_CONFIG: AccountKind = { name: 'AmmConfig', program: CLMM_PROGRAM_ID, bytes: 117 };

export interface AmmConfig {
  readonly index: number;
  readonly fees: PoolFees;
}

export function decodeAmmConfig(address: PublicKey, account: AccountInfo<Buffer> | null): AmmConfig {
  const reader = openAccount(address, account, AMM_CONFIG).skip(1);
  const index = reader.u16();
  reader.skip(32);
  const protocolPpm = reader.u32();
  const feePpm = reader.u32();
  const tickSpacing = reader.u16();
  return { index, fees: { tickSpacing, feePpm, protocolPpm, fundPpm: reader.u32() } };
}
