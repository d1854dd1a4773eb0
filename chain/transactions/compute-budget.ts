import {
  ComputeBudgetProgram,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  type VersionedMessage,
} from '@solana/web3.js';

/** Default units of an instruction in a transaction without a limit (SIMD-0170). */
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000;

/** Highest compute limit of a transaction. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/** First data bytes: limit (u32), price (u64). */
const SET_LIMIT = 2;
const SET_PRICE = 3;

export interface ComputeBudget {
  /** Limit. */
  readonly units: number;
  /** micro-lamports per compute unit */
  readonly price: bigint;
}

/** Reads the compute budget; without a limit, the cluster's default. */
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

export function defaultComputeUnits(instructions: readonly TransactionInstruction[]): number {
  return unitsByDefault(instructions.map(({ programId }) => programId));
}

/** Returns the fee, rounded up; it is charged on requested units. */
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
