import type { Exchange } from '../../chain/exchange/exchange.ts';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { ReadLookupTables } from '../../chain/transactions/lookup-table.ts';
import type { StockObstacle } from '../../domain/launch/dev-buy-stock.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { HolderSnapshots } from './holder-snapshots.ts';
import type { LaunchStarter } from './launch-starter.ts';
import type { QuoteScope, QuoteSealer } from './sealed-quote.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface LaunchApiDeps {
  readonly sealer: QuoteSealer;
  readonly scope: QuoteScope;
  /** Spot, for opening pools. */
  readonly prices: PriceSource;
  /** Steady, for selling dev buys. */
  readonly spendablePrices: Pick<SpendablePrices, 'of'>;
  readonly exchange: Exchange;
  readonly lookupTables: ReadLookupTables;
  readonly rpc: Rpc;
  readonly store: Pick<PermanentStore, 'uriOf'>;
  readonly starter: LaunchStarter;
  readonly pricing: LaunchPricing;
  readonly holders: HolderSnapshots;
  /** Why the treasury does not sell so many quote tokens (raw); undefined if it does. */
  readonly stockObstacle: (quote: TokenInfo, symbol: string, neededRaw: bigint) => Promise<StockObstacle | undefined>;
}

export interface LaunchPricing {
  /** Without dev buy and airdrop: rent, fees, tip. */
  readonly baseLamports: bigint;
  /** Sealed into a quote. The base price covers them, but for the payment's own fee. */
  readonly networkFees: () => Promise<NetworkFees>;
}
