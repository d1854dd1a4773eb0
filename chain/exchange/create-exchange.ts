import type { Connection } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import {
  agreedLookupTablesAt,
  lookupTablesAt,
  type ReadLookupTables,
  withoutLookupTables,
} from '../transactions/lookup-table.ts';
import type { Exchange } from './exchange.ts';
import { createStandInExchange } from './stand-in/stand-in-exchange.ts';
import { createRaydiumExchange } from './raydium/raydium-exchange.ts';

/** Which adapter; the stand-in needs the seed of its keys. */
export type ExchangeChoice = { readonly kind: 'raydium' } | { readonly kind: 'local'; readonly seed: Uint8Array };

/** Which adapter's transactions; those of the real one need a lookup table (base58). */
export type LookupChoice = { readonly kind: 'raydium'; readonly lookupTable: string } | { readonly kind: 'local' };

/** The configured adapter. Whoever signs launches gives it a `quorum` to ask. */
export function createExchange(
  choice: ExchangeChoice,
  connection: Connection,
  genesisHash: string,
  quorum?: Pick<Rpc, 'accountTestimonies'>,
): Exchange {
  switch (choice.kind) {
    case 'local':
      return createStandInExchange({ connection, seed: choice.seed, genesisHash });
    case 'raydium':
      // Metadata for both Fee Keys would take 0.03 SOL, which the price of a launch does not hold.
      return createRaydiumExchange({ connection, ...(quorum && { quorum }), feeKeyMetadata: false });
  }
}

/** The tables that the configured adapter's transactions may take addresses from. Whoever signs launches gives it a `quorum` to ask. */
export function lookupTablesOf(
  choice: LookupChoice,
  connection: Connection,
  quorum?: Pick<Rpc, 'accountTestimonies'>,
): ReadLookupTables {
  if (choice.kind === 'local') return withoutLookupTables;
  return quorum ? agreedLookupTablesAt(quorum, choice.lookupTable) : lookupTablesAt(connection, choice.lookupTable);
}
