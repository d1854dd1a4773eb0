import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createCloseAccountInstruction,
  createSetAuthorityInstruction,
  getAssociatedTokenAddressSync,
  unpackMint,
} from '@solana/spl-token';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { land, type Lander } from '../transactions/land.ts';
import { type Lane, LANE_PROGRAM_ID } from './lane.ts';

/** Four lanes with both wallets are 1,090 of 1,232 bytes. */
const LANES_PER_TRANSACTION = 4;

/** Compute limit of one lane; its new account takes most. */
const HAND_OVER_COMPUTE_UNITS = 45_000;

/**
 * Gives lanes to the wallets that they should have been made for. `former` is the wallet that they were made for; the
 * rent of its accounts goes to the payer. The token program refuses a lane that another wallet may mint, or whose
 * account holds tokens because the lane has moved.
 *
 * @throws NotLandedError
 */
export async function handOverLanes(lander: Lander, former: TransactionSigner, lanes: readonly Lane[]): Promise<void> {
  const payer = lander.payer.publicKey;
  for (const batch of batchesOf(lanes, LANES_PER_TRANSACTION)) {
    const instructions = batch.flatMap((lane) => handOver(lane, former.publicKey, payer));
    await land(lander, instructions, batch.length * HAND_OVER_COMPUTE_UNITS, [former]);
  }
}

/** Returns the lanes that `former` may mint. */
export async function lanesMintedBy(
  connection: Connection,
  former: PublicKey,
  lanes: readonly Lane[],
): Promise<Lane[]> {
  const mints = await connection.getMultipleAccountsInfo(
    lanes.map(({ mint }) => mint),
    'confirmed',
  );
  return lanes.filter((lane, index) => {
    const info = mints[index];
    if (!info?.owner.equals(LANE_PROGRAM_ID)) return false;
    return unpackMint(lane.mint, info, LANE_PROGRAM_ID).mintAuthority?.equals(former) === true;
  });
}

function handOver({ mint, account, authority }: Lane, former: PublicKey, payer: PublicKey): TransactionInstruction[] {
  const formerAccount = getAssociatedTokenAddressSync(mint, former, true, LANE_PROGRAM_ID);
  return [
    createCloseAccountInstruction(formerAccount, payer, former, [], LANE_PROGRAM_ID),
    createSetAuthorityInstruction(mint, former, AuthorityType.MintTokens, authority, [], LANE_PROGRAM_ID),
    createAssociatedTokenAccountIdempotentInstruction(payer, account, authority, mint, LANE_PROGRAM_ID),
  ];
}
