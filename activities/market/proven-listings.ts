import type { TimedTransaction } from '../../chain/market/vault-history.ts';
import { leadsTo, linkVault } from '../../domain/market/vault-chain.ts';
import type { MarketDeps } from './deps.ts';
import type { DuePool } from './due-pools.ts';
import type { LookMemory } from './look-memory.ts';

/** All that moved a pool's base vault beyond its cursor up to a final slot, in the order in which it happened. */
export interface ProvenListing {
  readonly transactions: readonly TimedTransaction[];
  /** What the vault held after them, raw units. */
  readonly end: bigint;
}

/** How far pools are proven. */
interface ProvenUpTo {
  /** Where their vaults were read, final by one endpoint's word. */
  readonly slot: number;
  /** Where they are to be settled, final by a quorum's: an endpoint that is some slots behind knows of nothing later. */
  readonly untilSlot: number;
  readonly memory: LookMemory;
}

/**
 * What was listed of pools when it was confirmed, by pool, where that is all there is up to a final slot: it leads both vaults, step by
 * step, from what they held at the cursor to what they hold there, nothing else is stored, and each transaction that is to be settled is
 * final where it was listed. Trades that cancel each other in one vault leave fees in the other, and a fork may land a transaction again
 * elsewhere with the same outcome.
 */
export async function provenListings(
  deps: MarketDeps,
  pools: readonly DuePool[],
  { slot, untilSlot, memory }: ProvenUpTo,
): Promise<ReadonlyMap<string, ProvenListing>> {
  const recalled = new Map(
    pools.flatMap((pool) => {
      const found = recall(pool, slot, memory);
      return found ? [[pool.cursor.pool, found] as const] : [];
    }),
  );
  const settled = ({ transactions }: ProvenListing) => transactions.filter((one) => one.slot <= untilSlot);
  const all = [...recalled.values()].flatMap(settled);
  const final = await finalSlots(
    deps,
    all.map(({ signature }) => signature),
  );
  const isFinal = (listing: ProvenListing) =>
    settled(listing).every((transaction) => final.get(transaction.signature) === transaction.slot);
  return new Map([...recalled].filter(([, listing]) => isFinal(listing)));
}

/** Null where what was listed does not add up, or is not known any more. */
function recall(
  { cursor, market, stand, rows }: DuePool,
  slot: number,
  { listings, known }: LookMemory,
): ProvenListing | null {
  const entries = listings.beyondCursor(cursor)?.filter((entry) => entry.slot <= slot) ?? [];
  const transactions = known.recall(market, entries);
  const chain = transactions && linkVault(transactions, cursor.baseRaw);
  if (!chain?.whole || chain.end !== stand.baseRaw) return null;
  const quotes = chain.steps.flatMap(({ quote }) => quote ?? []);
  if (quotes.length === 0 || cursor.quoteRaw === null) return null;
  if (!leadsTo(quotes, cursor.quoteRaw, stand.quoteRaw)) return null;
  const listed = new Map(chain.steps.map((step) => [step.signature, BigInt(step.slot)]));
  const isListed = rows.every((row) => row.slot > slot || listed.get(row.signature) === row.slot);
  return isListed ? { transactions: chain.steps, end: chain.end } : null;
}

/** In which slots these are final by a quorum's word; empty where nobody says. */
async function finalSlots(
  { rpc, logger }: MarketDeps,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (signatures.length === 0) return new Map();
  try {
    const statuses = await rpc.signatureStatuses(signatures, { search: false });
    return new Map(
      signatures.flatMap((signature, index) => {
        const status = statuses[index];
        return status?.commitment === 'finalized' && status.err === null ? [[signature, status.slot] as const] : [];
      }),
    );
  } catch (error) {
    logger.warn({ err: error }, 'what became of transactions could not be read; histories are listed anew');
    return new Map();
  }
}
