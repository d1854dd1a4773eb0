import type { Connection } from '@solana/web3.js';
import { atPercentile, type Bounds, within } from './percentile.ts';
import { readTipFloor, type TipPercentile } from './tip-floor.ts';

/** Sealed into the quote: a retry builds the same bytes. */
export interface NetworkFees {
  readonly tipLamports: bigint;
  readonly computeUnitPrice: bigint;
}

export interface NetworkFeeSettings {
  /** Landed tips; without it every tip is the minimum. */
  readonly tipFloorUrl: string | undefined;
  readonly tipPercentile: TipPercentile;
  readonly tipLamports: Bounds;
  /** Of the cheapest in the latest 150 blocks. */
  readonly pricePercentile: number;
  readonly computeUnitPrice: Bounds;
}

export type FeeSource = 'the tip floor' | 'recent priority fees';

export interface NetworkFeeParts {
  readonly connection: Pick<Connection, 'getRecentPrioritizationFees'>;
  readonly onAnswer?: (what: FeeSource) => void;
  readonly onFailure: (what: FeeSource, error: unknown) => void;
  readonly now: () => number;
}

/** Cache life, ms, also after failures. */
const LIFETIME_MS = 10_000;

/** Caches the fees. Never rejects: without a source it uses the minimum. */
export function followNetworkFees(settings: NetworkFeeSettings, parts: NetworkFeeParts): () => Promise<NetworkFees> {
  let answer: Promise<NetworkFees> | undefined;
  let askedAt = 0;
  return () => {
    if (!answer || parts.now() - askedAt > LIFETIME_MS) {
      askedAt = parts.now();
      answer = read(settings, parts);
    }
    return answer;
  };
}

async function read(settings: NetworkFeeSettings, parts: NetworkFeeParts): Promise<NetworkFees> {
  const { tipFloorUrl, tipPercentile } = settings;
  const [tip, price] = await Promise.all([
    tipFloorUrl === undefined ? 0n : orNothing(parts, 'the tip floor', () => readTipFloor(tipFloorUrl, tipPercentile)),
    orNothing(parts, 'recent priority fees', () => askPrice(settings, parts)),
  ]);
  return { tipLamports: within(settings.tipLamports, tip), computeUnitPrice: within(settings.computeUnitPrice, price) };
}

async function orNothing(
  { onAnswer, onFailure }: NetworkFeeParts,
  what: FeeSource,
  ask: () => Promise<bigint>,
): Promise<bigint> {
  try {
    const answer = await ask();
    onAnswer?.(what);
    return answer;
  } catch (error) {
    onFailure(what, error);
    return 0n;
  }
}

async function askPrice({ pricePercentile }: NetworkFeeSettings, { connection }: NetworkFeeParts): Promise<bigint> {
  const recent = await connection.getRecentPrioritizationFees();
  return atPercentile(
    recent.map(({ prioritizationFee }) => BigInt(prioritizationFee)),
    pricePercentile,
  );
}
