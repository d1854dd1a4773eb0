import type { Metric } from 'prom-client';
import { readPairBalance } from '../../chain/tokens/token-balance.ts';
import { markedStockOf } from '../../db/inventory/stock.ts';
import * as pairs from '../../db/pairs.ts';
import { createSeldomGauge } from '../seldom-gauge.ts';
import type { Shared } from '../shared.ts';

type Parts = Pick<Shared, 'db' | 'rpc' | 'signers' | 'logger'>;

export function createInventoryMeters(parts: Parts): readonly Metric[] {
  const metric = createSeldomGauge(parts, {
    name: 'slipway_inventory_below_mark',
    help: '1 where fewer quote tokens are left for dev buys than the mark below which they are bought, at most a minute old',
    labelNames: ['symbol', 'mint'],
    read: () => lowPairs(parts),
  });
  return [metric];
}

async function lowPairs({ db, rpc, signers }: Parts) {
  const listed = await pairs.list(db, { launchable: true });
  const looked = await Promise.all(
    listed.map(async (pair) => {
      const balance = () => readPairBalance(rpc.connection, pair, signers.treasury.publicKey);
      const stock = await markedStockOf(db, pair.mint, balance);
      if (stock === null) return [];
      const { symbol, mint } = pair;
      return [{ labels: { symbol, mint }, value: stock.available < stock.belowRaw ? 1 : 0 }];
    }),
  );
  return looked.flat();
}
