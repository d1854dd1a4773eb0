import type { TimedTransaction } from '../../chain/market/vault-history.ts';
import { leadsTo, linkVault } from '../../domain/market/vault-chain.ts';
import type { MarketDeps } from './deps.ts';
import type { DuePool } from './due-pools.ts';
import type { PollMemory } from './poll-memory.ts';

/** Transactions from the cursor to a final slot, in chain order. */
export interface ProvenListing {
  readonly transactions: readonly TimedTransaction[];
  /** Vault balance after them, raw units. */
  readonly end: bigint;
}

interface ProvenUpTo {
  /** Slot of the vault reading, by one endpoint. */
  readonly slot: number;
  /** Finalized slot, by a quorum. */
  readonly untilSlot: number;
  readonly memory: PollMemory;
}

/**
 * Returns listings that are complete up to a final slot, by pool:
 *
 * - Both vaults link to their finalized balances. The quote vault shows missing trades that cancel each other in the
 *   base vault, because they leave fees.
 * - Every stored swap is listed.
 * - Each transaction is final in its listed slot. A fork may have moved it to another one.
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

/** Returns the remembered listing of a pool; null if it is not remembered or its balances do not link. */
function recall(
  { cursor, market, stand, rows }: DuePool,
  slot: number,
  { listings, known }: PollMemory,
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
    logger.warn({ err: error }, 'what became of transactions could not be read; histories are listed again');
    return new Map();
  }
}
