import { PublicKey } from '@solana/web3.js';
import { AMM_CONFIG } from '../../chain/exchange/raydium/accounts/amm-config.ts';
import { ammConfigAddress } from '../../chain/exchange/raydium/addresses.ts';
import { accountDiscriminator } from '../../chain/exchange/raydium/discriminators.ts';
import { rentLamports, type WrittenAccount } from './local-chain.ts';

/** Shares as on mainnet: 12 % to the protocol, 4 % to the fund. */
const TICK_SPACING = 120;
const PROTOCOL_PPM = 120_000;
const FUND_PPM = 40_000;

/** `AmmConfig` account as on mainnet. */
export function tierAccount(index: number, feePpm: number): WrittenAccount {
  const data = Buffer.alloc(AMM_CONFIG.bytes);
  accountDiscriminator(AMM_CONFIG.name).copy(data);
  data.writeUInt16LE(index, 9);
  PublicKey.default.toBuffer().copy(data, 11);
  data.writeUInt32LE(PROTOCOL_PPM, 43);
  data.writeUInt32LE(feePpm, 47);
  data.writeUInt16LE(TICK_SPACING, 51);
  data.writeUInt32LE(FUND_PPM, 53);
  return {
    address: ammConfigAddress(index),
    lamports: rentLamports(data.length),
    owner: AMM_CONFIG.program,
    data,
  };
}

export function raydiumTiers(): WrittenAccount[] {
  return [tierAccount(3, 10_000), tierAccount(9, 20_000)];
}
