import { sql } from 'kysely';
import type { Db } from '../../../../db/connect.ts';
import { listCandles } from '../../../../db/market/candles.ts';
import { averagePrice } from '../../../../db/prices/average-price.ts';
import bs58 from 'bs58';
import type { RecordedPool } from './recorded-chain.ts';
import { AVERAGED_SECONDS, CANDLE_SECONDS, type MarketFacts, OPENING_PRICE } from './recounted.ts';

export async function storedSwaps(db: Db, { mint }: RecordedPool): Promise<readonly object[]> {
  const rows = await db
    .selectFrom('swaps')
    .selectAll()
    .where('mint', '=', mint)
    .orderBy('slot')
    .orderBy('slotOrder')
    .execute();
  return rows.map(({ signature, slot, slotOrder, blockTime, side, wallet, baseRaw, quoteRaw, finalized, ...row }) => {
    const [priceQuote, valueUsd] = [plain(row.priceQuote), plain(row.valueUsd)];
    const amounts = { baseRaw, quoteRaw, priceQuote, valueUsd };
    return { signature, slot, slotOrder, blockTime, side, wallet, ...amounts, finalized };
  });
}

/** Reads what the line stored of a pool, events after `afterEvent`. */
export async function storedFacts(db: Db, pool: RecordedPool, now: number, afterEvent: bigint): Promise<MarketFacts> {
  const { mint } = pool;
  const { number: poolNumber } = await db
    .selectFrom('poolCursors')
    .select('number')
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  const [from, to] = [new Date(0), new Date(now * 1_000)];
  const candles = await listCandles(db, { mint, poolNumber, seconds: CANDLE_SECONDS, currency: 'quote', from, to });
  const { priceQuote, marketCapUsd, highWaterMarketCapUsd, volume24hUsd } = await db
    .selectFrom('tokenMarkets')
    .selectAll()
    .where('mint', '=', mint)
    .executeTakeFirstOrThrow();
  const averages = AVERAGED_SECONDS.map((seconds) =>
    averagePrice(db, {
      mint,
      from: new Date((now - seconds) * 1_000),
      to,
      openingPrice: OPENING_PRICE,
      openedAt: new Date(0),
    }),
  );
  return {
    swaps: await storedSwaps(db, pool),
    candles: candles.map(({ open, high, low, close, volumeUsd, ...candle }) => ({
      ...candle,
      open: plain(open),
      high: plain(high),
      low: plain(low),
      close: plain(close),
      volumeUsd: plain(volumeUsd),
    })),
    averages: (await Promise.all(averages)).map(plain),
    figures: {
      priceQuote: plain(priceQuote),
      marketCapUsd: plain(marketCapUsd),
      highWaterMarketCapUsd: plain(highWaterMarketCapUsd),
      volume24hUsd: plain(volume24hUsd),
    },
    events: await tradeEvents(db, mint, afterEvent),
  };
}

/** Without zeros at its end. */
function plain<Text extends string | null>(text: Text): Text {
  return (text?.includes('.') ? text.replace(/\.?0+$/, '') : text) as Text;
}

async function tradeEvents(db: Db, mint: string, after: bigint): Promise<MarketFacts['events']> {
  const { rows } = await sql<{ hex: string; shown: number; final: number }>`
    select body->>'signatureHex' as hex,
      (count(*) filter (where type = 'trade.confirmed') - count(*) filter (where type = 'trade.withdrawn'))::integer as shown,
      (count(*) filter (where type = 'trade.final'))::integer as final
    from events where mint = ${mint} and id > ${after} and type like 'trade.%' group by 1`.execute(db);
  const known = rows.filter(({ shown, final }) => shown !== 0 || final !== 0);
  return Object.fromEntries(
    known.map(({ hex, shown, final }) => [bs58.encode(Buffer.from(hex, 'hex')), [shown, final]]),
  );
}
