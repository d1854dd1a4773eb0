import type { Connection, PublicKey } from '@solana/web3.js';
import { collectRequestOf, type FeePair, readPositionFees } from '../../../../chain/exchange/raydium/fees.ts';
import { decreaseLiquidityInstruction } from '../../../../chain/exchange/raydium/instructions/collect.ts';
import { accountOf, groupOf } from '../test-chain.ts';
import type { LaunchUnderTest } from '../launched-pool.ts';

/** What a position was said to have earned, and what its collection took out of the vaults and brought; token0, token1. */
export interface Collection {
  readonly claimable: FeePair;
  readonly taken: FeePair;
  readonly received: FeePair;
  readonly computeUnits: number;
  readonly bytes: number;
}

/** Collects an unlocked position's fees into the launch wallet, which still holds its NFT. */
export async function collectDirectly(
  launch: LaunchUnderTest,
  connection: Connection,
  index: 0 | 1,
): Promise<Collection> {
  const { request, chain, parties } = launch;
  const { base, quote, launchWallet: holder } = request;
  const state = await launch.state();
  const positionMint = parties.positionMints[index].publicKey;
  const { position, fees } = await readPositionFees(connection, launch.pool, positionMint);
  const [baseAccount, quoteAccount] = [accountOf(base, holder), accountOf(quote, holder)];
  const collect = collectRequestOf({ pool: state, base, quote, holder, baseAccount, quoteAccount }, position);
  const accounts = [state.vault0, state.vault1, collect.recipient0, collect.recipient1];
  const before = await balances(launch, accounts);
  const landed = await chain.succeed(parties.wallet, groupOf([decreaseLiquidityInstruction(collect)]));
  const after = await balances(launch, accounts);
  const [vault0 = 0n, vault1 = 0n, got0 = 0n, got1 = 0n] = after.map((amount, at) => amount - (before[at] ?? 0n));
  return {
    claimable: fees,
    taken: [-vault0, -vault1],
    received: [got0, got1],
    computeUnits: landed.response.meta?.computeUnitsConsumed ?? 0,
    bytes: landed.bytes,
  };
}

/** Balances of accounts in one go, raw units. */
export async function balances({ chain }: LaunchUnderTest, accounts: PublicKey[]): Promise<bigint[]> {
  const infos = await chain.connection.getMultipleAccountsInfo(accounts, 'confirmed');
  return infos.map((info) => info?.data.readBigUInt64LE(64) ?? 0n);
}
