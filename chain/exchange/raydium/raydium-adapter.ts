import { AddressLookupTableProgram } from '@solana/web3.js';
import { agreedLookupTablesAt } from '../../transactions/lookup-table.ts';
import type { ExchangeAdapter } from '../exchange-adapter.ts';
import { CLMM_PROGRAM_ID, LOCK_PROGRAM_ID } from './programs.ts';
import { createRaydiumExchange } from './raydium-exchange.ts';

/** Transactions need the lookup table (base58) to fit a packet. */
export const raydiumAdapter = (lookupTable: string): ExchangeAdapter => ({
  // Metadata for both Fee Keys would take 0.03 SOL more than a launch's price holds.
  open: (connection, _genesisHash, quorum) =>
    createRaydiumExchange({ connection, ...(quorum && { quorum }), feeKeyMetadata: false }),
  lookupTables: (rpc) => agreedLookupTablesAt(rpc, [lookupTable]),
  programs: [
    { name: 'lookup table program', address: AddressLookupTableProgram.programId },
    { name: 'Raydium CLMM', address: CLMM_PROGRAM_ID },
    { name: 'Raydium lock program', address: LOCK_PROGRAM_ID },
  ],
});
