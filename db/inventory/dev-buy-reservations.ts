import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/**
 * Quote tokens (raw units) that dev buys of other open launches with this quote token may still take from the treasury.
 * Inside a transaction it also makes every other caller for the same token wait, so that two launches cannot both count
 * on the last tokens: the launch must be in `preparing` when the transaction commits.
 */
export async function lockReservedDevBuys(db: Db, quoteMint: string, exceptQuoteId: string): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`dev-buy/${quoteMint}`}, 0))`.execute(db);
  return reservedDevBuys(db, quoteMint, exceptQuoteId);
}

/** The same without waiting for anybody: what is reserved at this moment, by all open launches or all but one. */
export async function reservedDevBuys(db: Db, quoteMint: string, exceptQuoteId?: string): Promise<bigint> {
  const { reserved } = await db
    .selectFrom('launches')
    .select(
      sql<bigint | null>`sum((terms -> 'devBuy' ->> 'maxQuoteRaw')::numeric(39, 0))::numeric(39, 0)`.as('reserved'),
    )
    .where('quoteMint', '=', quoteMint)
    .$if(exceptQuoteId !== undefined, (query) => query.where('quoteId', '!=', exceptQuoteId!))
    .where('state', 'in', ['preparing', 'landing', 'resuming', 'recording'])
    .executeTakeFirstOrThrow();
  return reserved ?? 0n;
}
