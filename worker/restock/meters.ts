import { PublicKey } from '@solana/web3.js';
import { Gauge, type Metric } from 'prom-client';
import { tokenBalance } from '../../chain/tokens/token-balance.ts';
import { reservedDevBuys } from '../../db/inventory/dev-buy-reservations.ts';
import * as pairInventory from '../../db/inventory/pair-inventory.ts';
import * as pairs from '../../db/pairs.ts';
import { availableRaw } from '../../domain/inventory.ts';
import { seldom } from '../seldom.ts';
import type { Shared } from '../shared.ts';

/** How old an answer on the page may be, and how long the page waits for one. */
const LOOKS = { everyMs: 60_000, patienceMs: 2_000 } as const;

type Parts = Pick<Shared, 'db' | 'rpc' | 'signers' | 'logger'>;

/** What Prometheus reads of inventory: pairs that have a mark. An endpoint that is away leaves them out. */
export function createInventoryMeters(parts: Parts): readonly Metric[] {
  const low = seldom(LOOKS, () => lowPairs(parts));
  const metric = new Gauge({
    name: 'slipway_inventory_below_mark',
    help: '1 where fewer quote tokens are left for dev buys than the mark below which they are bought, at most a minute old',
    labelNames: ['symbol', 'mint'],
    registers: [],
    async collect() {
      this.reset();
      try {
        for (const { symbol, mint, isLow } of await low()) this.set({ symbol, mint }, isLow ? 1 : 0);
      } catch (error) {
        parts.logger.warn({ err: error }, 'the inventory could not be read');
      }
    },
  });
  return [metric];
}

async function lowPairs({ db, rpc, signers }: Parts) {
  const listed = await pairs.list(db, { launchable: true });
  const looked = await Promise.all(
    listed.map(async ({ mint, symbol, decimals, tokenProgram }) => {
      const { restockBelowRaw, reserveRaw } = await pairInventory.byMint(db, mint);
      if (restockBelowRaw === null) return [];
      const token = { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
      const balanceRaw = await tokenBalance(rpc.connection, token, signers.treasury.publicKey);
      const reservedRaw = await reservedDevBuys(db, mint);
      const isLow = availableRaw({ balanceRaw, reservedRaw, reserveRaw }) < restockBelowRaw;
      return [{ symbol, mint, isLow }];
    }),
  );
  return looked.flat();
}
