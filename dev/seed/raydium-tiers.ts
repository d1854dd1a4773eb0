import { PublicKey } from '@solana/web3.js';
import { AMM_CONFIG } from '../../chain/exchange/raydium/accounts/amm-config.ts';
import { ammConfigAddress } from '../../chain/exchange/raydium/addresses.ts';
import { accountDiscriminator } from '../../chain/exchange/raydium/discriminators.ts';
import { rentLamports, type WrittenAccount } from './local-chain.ts';

/** Spacing and shares of both tiers on mainnet: 12 % of the fee to the protocol, 4 % to the fund. */
const TICK_SPACING = 120;
const PROTOCOL_PPM = 120_000;
const FUND_PPM = 40_000;

/** A fee configuration as Raydium has it on mainnet, for a local chain; layout `AmmConfig` of the program's published interface. */
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

/** Both tiers that launches are made under. */
export function raydiumTiers(): WrittenAccount[] {
  return [tierAccount(3, 10_000), tierAccount(9, 20_000)];
}
