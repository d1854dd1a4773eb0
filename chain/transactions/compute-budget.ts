import {
  ComputeBudgetProgram,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  type VersionedMessage,
} from '@solana/web3.js';

/** What a transaction without a limit of its own may take: units for each instruction, fewer for a built-in program's (SIMD-0170). */
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000;

/** Most compute units that any transaction may take. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/** First bytes of the compute budget program's instructions: the limit (u32), the price in micro-lamports (u64). */
const SET_LIMIT = 2;
const SET_PRICE = 3;

/** What a message asks of the compute budget program. */
export interface ComputeBudget {
  /** Compute units it may take. */
  readonly units: number;
  /** micro-lamports per compute unit */
  readonly price: bigint;
}

/** Reads a message's compute budget; where it names no limit, what the cluster allows it. */
export function computeBudgetOf(message: VersionedMessage): ComputeBudget {
  let [units, price] = [unitsByDefault(programsOf(message)), 0n];
  for (const { programIdIndex, data } of message.compiledInstructions) {
    if (!message.staticAccountKeys[programIdIndex]?.equals(ComputeBudgetProgram.programId)) continue;
    const bytes = Buffer.from(data);
    if (bytes[0] === SET_LIMIT) units = bytes.readUInt32LE(1);
    if (bytes[0] === SET_PRICE) price = bytes.readBigUInt64LE(1);
  }
  return { units, price };
}

/** Compute units that instructions may take together in a transaction that names no limit. */
export function defaultComputeUnits(instructions: readonly TransactionInstruction[]): number {
  return unitsByDefault(instructions.map(({ programId }) => programId));
}

/** Lamports of priority fee: what is asked for is paid for, rounded up. */
export function priorityFeeOf({ units, price }: ComputeBudget): bigint {
  return (BigInt(units) * price + 999_999n) / 1_000_000n;
}

function programsOf({ compiledInstructions, staticAccountKeys }: VersionedMessage): PublicKey[] {
  return compiledInstructions.flatMap(({ programIdIndex }) => staticAccountKeys[programIdIndex] ?? []);
}

function unitsByDefault(programs: readonly PublicKey[]): number {
  const isBuiltin = (program: PublicKey) =>
    program.equals(SystemProgram.programId) || program.equals(ComputeBudgetProgram.programId);
  const units = programs.map((program) => (isBuiltin(program) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION));
  return Math.min(
    units.reduce((sum, each) => sum + each, 0),
    MAX_COMPUTE_UNITS,
  );
}
