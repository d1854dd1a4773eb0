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

/** 1,016 of 1,232 bytes. */
export const LANES_PER_TRANSACTION = 3;

/** Compute limit; the account takes at most 23,000. */
export const MAKE_LANE_COMPUTE_UNITS = 45_000;

/** A mint and an account each. */
const READ_AT_ONCE = 50;

export class ForeignLaneError extends Error {
  constructor({ index, mint }: Lane, problem: string) {
    super(`lane ${index} (${mint.toBase58()}) is not ours: ${problem}`);
    this.name = 'ForeignLaneError';
  }
}

export interface LaneMaker {
  readonly platform: PublicKey;
  readonly environment: string;
  readonly rentLamports: number;
}

/** Builds separate steps: the combined instruction fails if a stranger sent lamports to the address. */
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

export type LaneLander = Lander & Pick<LaneMaker, 'environment'>;

/**
 * Makes several lanes per transaction; idempotent. Returns their number. Throws a ForeignLaneError where another
 * account exists.
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

const BATCHES_AT_ONCE = 8;

/** Throws a ForeignLaneError for an unexpected account. */
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

/** Reads in one call: between two, a movement would make a lane look foreign. */
async function missingOf(
  connection: Connection,
  lanes: readonly Lane[],
  commitment: 'confirmed' | 'finalized',
): Promise<Lane[]> {
  const addresses = lanes.flatMap(({ mint, account }) => [mint, account]);
  const found = await connection.getMultipleAccountsInfo(addresses, commitment);
  return lanes.filter((lane, index) => !isMade(lane, found[2 * index] ?? null, found[2 * index + 1] ?? null));
}

/** Lamports alone are no account. */
function isMade(lane: Lane, mint: AccountInfo<Buffer> | null, account: AccountInfo<Buffer> | null): boolean {
  if (!mint?.owner.equals(LANE_PROGRAM_ID)) return false;
  const ours = account?.owner.equals(LANE_PROGRAM_ID) ? account : null;
  const problem = mintProblem(lane, mint) ?? (ours && accountProblem(lane, mint, ours));
  if (problem !== null) throw new ForeignLaneError(lane, problem);
  return ours !== null;
}

function mintProblem(lane: Lane, mintInfo: AccountInfo<Buffer>): string | null {
  const { mintAuthority, freezeAuthority } = unpackMint(lane.mint, mintInfo, LANE_PROGRAM_ID);
  if (!mintAuthority?.equals(lane.authority))
    return `${mintAuthority?.toBase58() ?? 'nobody'} may mint instead of ${lane.authority.toBase58()}`;
  return freezeAuthority ? `${freezeAuthority.toBase58()} may freeze` : null;
}

function accountProblem(lane: Lane, mintInfo: AccountInfo<Buffer>, accountInfo: AccountInfo<Buffer>): string | null {
  const mint = unpackMint(lane.mint, mintInfo, LANE_PROGRAM_ID);
  const account = unpackAccount(lane.account, accountInfo, LANE_PROGRAM_ID);
  if (!account.mint.equals(lane.mint)) return `its account is one of mint ${account.mint.toBase58()}`;
  if (!account.owner.equals(lane.authority)) return `its account belongs to ${account.owner.toBase58()}`;
  if (account.delegate) return `${account.delegate.toBase58()} may move its tokens`;
  if (account.closeAuthority) return `${account.closeAuthority.toBase58()} may close its account`;
  return account.amount === mint.supply ? null : `its account holds ${account.amount} of ${mint.supply}`;
}
