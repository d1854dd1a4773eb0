import {
  type Connection,
  type PublicKey,
  type SimulatedTransactionResponse,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { SwapRefusedError } from '../aggregator/assert-harmless.ts';
import type { Finding } from '../rpc/confirmed-by-quorum.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { MAX_COMPUTE_UNITS } from '../transactions/compute-budget.ts';

export interface PurchaseBounds {
  readonly treasury: PublicKey;
  readonly stock: PublicKey;
  readonly lamportsBefore: bigint;
  readonly stockBeforeRaw: bigint;
  readonly mostLamports: bigint;
  readonly leastRaw: bigint;
}

interface Outcome {
  readonly units: number;
  /** Null if it may be signed. */
  readonly problem: string | null;
  /** It does not know the blockhash yet: void. */
  readonly isBehind: boolean;
}

/**
 * Signing relies on it, so a quorum must confirm the bounds. Unsigned: no endpoint holds a signed one before its effect
 * is known.
 *
 * @throws SwapRefusedError if a quorum reports a violation; RpcUnavailableError without a quorum
 */
export async function simulatedUnits(
  rpc: Pick<Rpc, 'foundByQuorum' | 'quorum'>,
  message: VersionedMessage,
  bounds: PurchaseBounds,
): Promise<number> {
  const outcomes = await rpc.foundByQuorum((connection) => simulateAt(connection, message, bounds), findingOf);
  const refused = outcomes.find(({ problem }) => problem !== null);
  if (refused) throw new SwapRefusedError(refused.problem ?? '');
  // Quorum-th largest: one endpoint cannot raise limit and fee.
  const units = outcomes.map((outcome) => outcome.units).toSorted((a, b) => b - a);
  return units[rpc.quorum - 1] ?? MAX_COMPUTE_UNITS;
}

function findingOf({ problem, isBehind }: Outcome): Finding {
  if (isBehind) return 'nothing';
  return problem === null ? 'success' : 'refusal';
}

async function simulateAt(connection: Connection, message: VersionedMessage, bounds: PurchaseBounds): Promise<Outcome> {
  const addresses = [bounds.treasury, bounds.stock].map((key) => key.toBase58());
  const { value } = await connection.simulateTransaction(new VersionedTransaction(message), {
    sigVerify: false,
    commitment: 'confirmed',
    accounts: { encoding: 'base64', addresses },
  });
  const isBehind = value.err !== null && JSON.stringify(value.err).includes('BlockhashNotFound');
  return { units: value.unitsConsumed ?? MAX_COMPUTE_UNITS, problem: problemOf(value, bounds), isBehind };
}

function problemOf(value: SimulatedTransactionResponse, bounds: PurchaseBounds): string | null {
  if (value.err !== null) return `it would fail: ${JSON.stringify(value.err)}`;
  const [treasury, stock] = value.accounts ?? [];
  const spent = bounds.lamportsBefore - BigInt(treasury?.lamports ?? 0);
  if (spent > bounds.mostLamports) return `it takes ${spent} lamports`;
  const received = tokensIn(stock?.data[0]) - bounds.stockBeforeRaw;
  return received < bounds.leastRaw ? `it gives ${received} raw units` : null;
}

/** Reads the u64 at offset 64 (spl-token, state.rs). */
function tokensIn(base64: string | undefined): bigint {
  const data = Buffer.from(base64 ?? '', 'base64');
  return data.length < 72 ? 0n : data.readBigUInt64LE(64);
}
