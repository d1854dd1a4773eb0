import { createTransferInstruction, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type Connection, Keypair } from '@solana/web3.js';
import type { Exchange, HarvestRequest, InstructionGroup } from '../../../../chain/exchange/exchange.ts';
import { decodeLock } from '../../../../chain/exchange/raydium/accounts/locked-position.ts';
import { decodePersonalPosition } from '../../../../chain/exchange/raydium/accounts/personal-position.ts';
import {
  feeKeyAccount,
  lockedPositionAddress,
  positionNftAccount,
} from '../../../../chain/exchange/raydium/addresses.ts';
import { collectRequestOf } from '../../../../chain/exchange/raydium/fees.ts';
import { decreaseLiquidityInstruction } from '../../../../chain/exchange/raydium/instructions/collect.ts';
import { holdsOne } from '../../../../chain/exchange/raydium/launch-positions.ts';
import { findFeeKeyHolder } from '../../../../chain/exchange/fee-key.ts';
import type { ChainControl } from '../../../../dev/localnet/index.ts';
import { lockStandIn } from './lock-stand-in.ts';

/** Holds the NFTs of locked positions in tests, where the lock program's own authority would. */
const KEEPER = Keypair.generate();

/**
 * The real adapter with a wallet of the tests in the place of the lock program, whose ELF cannot be had. Pools, positions,
 * swaps, fees and claimable amounts are the real program's. A lock gives the position's NFT to the keeper and the Fee Key to
 * its holder; a harvest is the CLMM's own collection, signed by the keeper, and proves by a transfer of the Fee Key to its
 * own account that its payer holds it.
 */
export function withKeeper(real: Exchange, control: ChainControl, connection: Connection): Exchange {
  return {
    ...real,
    buildLocks: (request) => lockStandIn(control, request, KEEPER.publicKey),
    async readLockedPosition(pool, feeKeyMint) {
      const found = await real.readLockedPosition(pool, feeKeyMint);
      if (!found) return null;
      const { nftMint } = await positionOf(connection, feeKeyMint);
      const nft = await connection.getAccountInfo(positionNftAccount(nftMint, KEEPER.publicKey), 'confirmed');
      return { ...found, locked: holdsOne(nft?.data) };
    },
    buildHarvest: (request) => harvest(connection, request),
  };
}

async function positionOf(connection: Connection, feeKeyMint: HarvestRequest['feeKeyMint']) {
  const address = lockedPositionAddress(feeKeyMint);
  const { position } = decodeLock(address, await connection.getAccountInfo(address, 'confirmed'));
  return decodePersonalPosition(position, await connection.getAccountInfo(position, 'confirmed'));
}

async function harvest(connection: Connection, request: HarvestRequest): Promise<InstructionGroup> {
  const { feeKeyMint, holder } = request;
  const position = await positionOf(connection, feeKeyMint);
  const found = await findFeeKeyHolder(connection, feeKeyMint);
  const key = found?.owner.equals(holder) ? found.account : feeKeyAccount(feeKeyMint, holder);
  const collect = collectRequestOf({ ...request, holder: KEEPER.publicKey }, position);
  return {
    instructions: [
      createTransferInstruction(key, key, holder, 1n, [], TOKEN_PROGRAM_ID),
      decreaseLiquidityInstruction(collect),
    ],
    signers: [KEEPER],
    computeUnits: 120_000,
    lookupAddresses: [],
  };
}
