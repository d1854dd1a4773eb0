import { type Address, COMPUTE_BUDGET_PROGRAM } from './account.ts';
import { ByteReader } from './byte-reader.ts';
import type { WireMessage } from './wire-transaction.ts';

export const LAMPORTS_PER_SIGNATURE = 5_000n;
const MAX_COMPUTE_UNITS = 1_400_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
/** SIMD-0170. */
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000n;

const BUILTINS = new Set<Address>([
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);

const PRECOMPILES = new Set<Address>([
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]);

export interface ComputeBudget {
  readonly unitLimit: bigint;
  /** Micro-lamports. */
  readonly unitPrice: bigint;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function defaultUnitLimit(message: WireMessage): bigint {
  let units = 0n;
  for (const { programIdIndex } of message.instructions) {
    const program = message.staticKeys[programIdIndex] ?? '';
    units += BUILTINS.has(program) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION;
  }
  return min(units, MAX_COMPUTE_UNITS);
}

/** Tags 2 (limit, u32) and 3 (price, u64). */
export function computeBudgetOf(message: WireMessage): ComputeBudget {
  let unitLimit: bigint | null = null;
  let unitPrice = 0n;
  for (const { programIdIndex, data } of message.instructions) {
    if (message.staticKeys[programIdIndex] !== COMPUTE_BUDGET_PROGRAM) continue;
    if (data[0] === 2 && data.length >= 5) unitLimit = BigInt(new ByteReader(data.subarray(1)).u32());
    if (data[0] === 3 && data.length >= 9) unitPrice = new ByteReader(data.subarray(1)).u64();
  }
  return { unitLimit: min(unitLimit ?? defaultUnitLimit(message), MAX_COMPUTE_UNITS), unitPrice };
}

/** Signatures, also of precompiles, plus the priority fee, rounded up. */
export function feeOf(message: WireMessage): bigint {
  let signatures = BigInt(message.header.numRequiredSignatures);
  for (const { programIdIndex, data } of message.instructions) {
    if (PRECOMPILES.has(message.staticKeys[programIdIndex] ?? '')) signatures += BigInt(data[0] ?? 0);
  }
  const { unitLimit, unitPrice } = computeBudgetOf(message);
  return signatures * LAMPORTS_PER_SIGNATURE + (unitLimit * unitPrice + 999_999n) / 1_000_000n;
}
