import type { PriceReader } from './price-source.ts';

type Price = Awaited<ReturnType<PriceReader>>;

interface Memory {
  price: Price | null;
  /** Null after a success. */
  error: unknown;
  /** No request before this time. */
  quietUntil: number;
  reading: Promise<Price> | null;
}

export interface ReaderDeps {
  /** ms. */
  readonly now: () => number;
  readonly onFailure: (id: string, error: unknown) => void;
}

/** Far below any feed's limit. */
const FRESH_MS = 2_000;

/** Pause after a failure, ms. */
const PAUSE_MS = 3_000;

/**
 * Caches for two seconds, one request for all callers: upstream calls do not grow with traffic. While a source fails,
 * it returns the last price with its original time; the feed's limits judge it.
 */
export function rememberedReader(read: PriceReader, deps: ReaderDeps): PriceReader {
  const memories = new Map<string, Memory>();
  return async (id) => {
    const memory = memories.get(id) ?? { price: null, error: null, quietUntil: 0, reading: null };
    memories.set(id, memory);
    if (deps.now() >= memory.quietUntil) memory.reading ??= readOnce(memory, () => read(id), { ...deps, id });
    if (memory.reading) return memory.reading;
    return lastOf(memory);
  };
}

async function readOnce(
  memory: Memory,
  read: () => Promise<Price>,
  { now, onFailure, id }: ReaderDeps & { readonly id: string },
): Promise<Price> {
  try {
    memory.price = await read();
    memory.error = null;
    memory.quietUntil = now() + FRESH_MS;
  } catch (error) {
    onFailure(id, error);
    memory.error = error;
    memory.quietUntil = now() + PAUSE_MS;
  } finally {
    memory.reading = null;
  }
  return lastOf(memory);
}

function lastOf({ price, error }: Memory): Price {
  if (price !== null) return price;
  throw error;
}
