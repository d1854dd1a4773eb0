import type { Exchange, TokenInfo } from '../../chain/exchange/exchange.ts';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import type { PriceSource } from '../../chain/prices/price-source.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { ReadLookupTables } from '../../chain/transactions/lookup-table.ts';
import type { HolderSnapshots } from './holder-snapshots.ts';
import type { LaunchStarter } from './launch-starter.ts';
import type { QuoteScope, QuoteSealer } from './sealed-quote.ts';

/** What the launch endpoints use beyond the API's common dependencies. Nothing here can move money. */
export interface LaunchApiDeps {
  readonly sealer: QuoteSealer;
  readonly scope: QuoteScope;
  readonly prices: PriceSource;
  readonly exchange: Exchange;
  readonly lookupTables: ReadLookupTables;
  readonly rpc: Rpc;
  readonly store: Pick<PermanentStore, 'uriOf'>;
  readonly starter: LaunchStarter;
  readonly pricing: LaunchPricing;
  /** Who an airdrop could go to. */
  readonly holders: HolderSnapshots;
  /** Quote tokens of the treasury that a new dev buy can count on, raw units. */
  readonly inventory: (quote: TokenInfo) => Promise<bigint>;
}

/** Prices of what the platform itself charges. */
export interface LaunchPricing {
  /** Everything a launch costs but dev buy and airdrop, in lamports: rent, fees, tip. What is left goes to the platform. */
  readonly baseLamports: bigint;
  /** Tip and priority fee at present, sealed into a quote; they come out of the base price, but for the payment's own fee. */
  readonly networkFees: () => Promise<NetworkFees>;
}
