import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  MINT_SIZE,
  unpackAccount,
  unpackMint,
} from '@solana/spl-token';
import {
  type AccountInfo,
  type Connection,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
} from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { inParallel } from '../rpc/in-parallel.ts';
import { land, type Lander } from '../transactions/land.ts';
import { type Lane, LANE_PROGRAM_ID, laneSeed } from './lane.ts';

/** Lanes that one transaction makes: three have 1,016 of 1,232 bytes. */
export const LANES_PER_TRANSACTION = 3;

/** Compute units to make one lane: opening the account took 23,000 at most. */
export const MAKE_LANE_COMPUTE_UNITS = 45_000;

/** How many lanes one call reads: a mint and an account each, of 100 that it takes. */
const READ_AT_ONCE = 50;

/** Something else lies where a lane should be: the message says what. */
export class ForeignLaneError extends Error {
  constructor({ index, mint }: Lane, problem: string) {
    super(`lane ${index} (${mint.toBase58()}) is not ours: ${problem}`);
    this.name = 'ForeignLaneError';
  }
}

/** What the lanes of an environment are made with. */
export interface LaneMaker {
  /** Signs and pays. */
  readonly platform: PublicKey;
  readonly environment: string;
  /** Rent of a mint, lamports. */
  readonly rentLamports: number;
}

/**
 * Instructions that make a lane. The mint is funded, allocated and assigned in steps of its own, because the one instruction that
 * does all three fails where somebody sent lamports to the address before.
 */
export function makeLane({ index, mint, account, authority }: Lane, maker: LaneMaker): TransactionInstruction[] {
  const { platform, environment, rentLamports } = maker;
  const seed = laneSeed(environment, index);
  const place = { accountPubkey: mint, basePubkey: platform, seed, programId: LANE_PROGRAM_ID };
  return [
    SystemProgram.transfer({ fromPubkey: platform, toPubkey: mint, lamports: rentLamports }),
    SystemProgram.allocate({ ...place, space: MINT_SIZE }),
    createInitializeMint2Instruction(mint, 0, authority, null, LANE_PROGRAM_ID),
    createAssociatedTokenAccountIdempotentInstruction(platform, account, authority, mint, LANE_PROGRAM_ID),
  ];
}

/** Who signs for making lanes, and how it is landed. */
export type LaneLander = Lander & Pick<LaneMaker, 'environment'>;

/**
 * Makes the lanes that are missing, several in a transaction; again is the same as once. Answers how many it made. Throws a
 * ForeignLaneError where something else lies where a lane should be.
 */
export async function makeLanes(lander: LaneLander, connection: Connection, lanes: readonly Lane[]): Promise<number> {
  const missing = await missingLanes(connection, lanes, 'confirmed');
  const rentLamports = await connection.getMinimumBalanceForRentExemption(MINT_SIZE);
  const maker = { platform: lander.payer.publicKey, environment: lander.environment, rentLamports };
  await inParallel(BATCHES_AT_ONCE, batchesOf(missing, LANES_PER_TRANSACTION), (batch) => {
    const instructions = batch.flatMap((lane) => makeLane(lane, maker));
    return land(lander, instructions, batch.length * MAKE_LANE_COMPUTE_UNITS);
  });
  return missing.length;
}

/** Transactions under way at once. */
const BATCHES_AT_ONCE = 8;

/** The lanes that are not on the chain yet. Throws a ForeignLaneError where one is there and is not as it should be. */
export async function missingLanes(
  connection: Connection,
  lanes: readonly Lane[],
  commitment: 'confirmed' | 'finalized' = 'finalized',
): Promise<Lane[]> {
  const missing = await Promise.all(
    batchesOf(lanes, READ_AT_ONCE).map((page) => missingOf(connection, page, commitment)),
  );
  return missing.flat();
}

/** What one call reads is of one slot: of two calls, a movement between them would make a lane look like a stranger's. */
async function missingOf(
  connection: Connection,
  lanes: readonly Lane[],
  commitment: 'confirmed' | 'finalized',
): Promise<Lane[]> {
  const addresses = lanes.flatMap(({ mint, account }) => [mint, account]);
  const found = await connection.getMultipleAccountsInfo(addresses, commitment);
  return lanes.filter((lane, index) => !isMade(lane, found[2 * index] ?? null, found[2 * index + 1] ?? null));
}

/** Lamports that a stranger sent to an address are no account yet. */
function isMade(lane: Lane, mint: AccountInfo<Buffer> | null, account: AccountInfo<Buffer> | null): boolean {
  if (!mint?.owner.equals(LANE_PROGRAM_ID) || !account?.owner.equals(LANE_PROGRAM_ID)) return false;
  const problem = problemOf(lane, mint, account);
  if (problem !== null) throw new ForeignLaneError(lane, problem);
  return true;
}

function problemOf(lane: Lane, mintInfo: AccountInfo<Buffer>, accountInfo: AccountInfo<Buffer>): string | null {
  const mint = unpackMint(lane.mint, mintInfo, LANE_PROGRAM_ID);
  const account = unpackAccount(lane.account, accountInfo, LANE_PROGRAM_ID);
  if (!mint.mintAuthority?.equals(lane.authority)) return `${mint.mintAuthority?.toBase58() ?? 'nobody'} may mint`;
  if (mint.freezeAuthority) return `${mint.freezeAuthority.toBase58()} may freeze`;
  if (!account.mint.equals(lane.mint)) return `its account is one of mint ${account.mint.toBase58()}`;
  if (!account.owner.equals(lane.authority)) return `its account belongs to ${account.owner.toBase58()}`;
  if (account.delegate) return `${account.delegate.toBase58()} may move its tokens`;
  if (account.closeAuthority) return `${account.closeAuthority.toBase58()} may close its account`;
  return account.amount === mint.supply ? null : `its account holds ${account.amount} of ${mint.supply}`;
}
