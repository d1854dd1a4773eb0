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
import { inParallel } from '../rpc/in-parallel.ts';
import { land, type Lander } from '../transactions/land.ts';
import { type Lane, LANE_PROGRAM_ID, laneSeed } from './lane.ts';

/** Lanes that one transaction makes: three have 1,016 of 1,232 bytes. */
export const LANES_PER_TRANSACTION = 3;

/** Compute units to make one lane: opening the account took 23,000 at most. */
export const MAKE_LANE_COMPUTE_UNITS = 45_000;

/** How many accounts one call reads. */
const READ_AT_ONCE = 100;

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
  const count = Math.ceil(missing.length / LANES_PER_TRANSACTION);
  const batches = Array.from({ length: count }, (_, index) =>
    missing.slice(index * LANES_PER_TRANSACTION, (index + 1) * LANES_PER_TRANSACTION),
  );
  await inParallel(BATCHES_AT_ONCE, batches, (batch) => {
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
  const mints = await accountsOf(
    connection,
    lanes.map(({ mint }) => mint),
    commitment,
  );
  const accounts = await accountsOf(
    connection,
    lanes.map(({ account }) => account),
    commitment,
  );
  return lanes.filter((lane, index) => !isMade(lane, mints[index] ?? null, accounts[index] ?? null));
}

async function accountsOf(
  connection: Connection,
  addresses: readonly PublicKey[],
  commitment: 'confirmed' | 'finalized',
) {
  const pages = Array.from({ length: Math.ceil(addresses.length / READ_AT_ONCE) }, (_, page) =>
    addresses.slice(page * READ_AT_ONCE, (page + 1) * READ_AT_ONCE),
  );
  const read = pages.map((page) => connection.getMultipleAccountsInfo(page, commitment));
  return (await Promise.all(read)).flat();
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
