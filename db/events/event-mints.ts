import type { EventMints } from '../../domain/events/event-mints.ts';
import type { Db } from '../connect.ts';

export async function mintsOf(db: Db, mints: readonly string[]): Promise<EventMints> {
  const columns = ['mint', 'name', 'symbol', 'decimals', 'pool', 'mode', 'quoteMint', 'quoteSymbol'] as const;
  const [tokens, pairs] = await Promise.all([
    mints.length === 0 ? [] : db.selectFrom('tokens').select(columns).where('mint', 'in', mints).execute(),
    db.selectFrom('pairs').select(['mint', 'decimals']).execute(),
  ]);
  return {
    tokens: new Map(tokens.map(({ mint, ...token }) => [mint, token])),
    pairs: new Map(pairs.map(({ mint, decimals }) => [mint, decimals])),
  };
}
