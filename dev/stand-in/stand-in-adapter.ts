import type { ExchangeAdapter } from '../../chain/exchange/exchange-adapter.ts';
import { withoutLookupTables } from '../../chain/transactions/lookup-table.ts';
import { createStandInExchange } from './stand-in-exchange.ts';

/** `seed`: 32 bytes. Calls token programs alone. */
export const standInAdapter = (seed: Uint8Array): ExchangeAdapter => ({
  open: (connection, genesisHash) => createStandInExchange({ connection, seed, genesisHash }),
  lookupTables: () => withoutLookupTables,
  programs: [],
});
