import type { Connection } from '@solana/web3.js';
import { atPercentile, type Bounds, within } from './percentile.ts';
import { readTipFloor, type TipPercentile } from './tip-floor.ts';

/** What a launch pays beyond the chain's fixed fees: sealed into its quote, so that a retry builds the same bytes. */
export interface NetworkFees {
  /** Tip of the bundle to the block engine, lamports. */
  readonly tipLamports: bigint;
  /** Priority fee, micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
}

/** How the live figures are read. */
export interface NetworkFeeSettings {
  /** Where the block engine publishes what tips landed; without it every tip is the least. */
  readonly tipFloorUrl: string | undefined;
  readonly tipPercentile: TipPercentile;
  readonly tipLamports: Bounds;
  /** Percentile over the cheapest transactions of the newest 150 blocks. */
  readonly pricePercentile: number;
  readonly computeUnitPrice: Bounds;
}

/** What is asked: the block engine, and the cluster. */
export type FeeSource = 'the tip floor' | 'recent priority fees';

/** What reading them takes. */
export interface NetworkFeeParts {
  readonly connection: Pick<Connection, 'getRecentPrioritizationFees'>;
  /** Told of every source that answered. */
  readonly onAnswer?: (what: FeeSource) => void;
  /** Told of a source that did not answer. */
  readonly onFailure: (what: FeeSource, error: unknown) => void;
  /** A clock in ms. */
  readonly now: () => number;
}

/** Figures are asked for anew after so long, whether the sources answered or not, ms. */
const LIFETIME_MS = 10_000;

/** Follows what the cluster charges at present. The answer never rejects: a source that is away leaves the least. */
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
