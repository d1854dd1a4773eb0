import type { PriceReader } from './price-source.ts';

type Price = Awaited<ReturnType<PriceReader>>;

/** What is known of one price. */
interface Memory {
  price: Price | null;
  /** Why it could not be read last, while it is not asked for. */
  error: unknown;
  /** Until when nobody asks the source, in ms. */
  quietUntil: number;
  /** The request that is under way. */
  reading: Promise<Price> | null;
}

/** What a reader uses from outside. */
export interface ReaderDeps {
  /** A clock in ms. */
  readonly now: () => number;
  /** Told why a price could not be read. */
  readonly onFailure: (id: string, error: unknown) => void;
}

/** How long a price that was read is given to others, in ms: far less than any feed allows. */
const FRESH_MS = 2_000;

/** How long a source that failed is left alone, in ms: more requests do not cure a service that refuses them. */
const PAUSE_MS = 3_000;

/**
 * The same prices from one request for each of them every two seconds, however many ask: upstream calls grow with time and with
 * the number of prices. While a source fails, the price it gave last is given on with the time it had; whether that is still
 * good is for the limits of its feed to say.
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
