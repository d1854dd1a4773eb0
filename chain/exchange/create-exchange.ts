import type { Connection } from '@solana/web3.js';
import type { Exchange } from './exchange.ts';
import { createLocalExchange } from './local/local-exchange.ts';

/** Which adapter, and what it needs. */
export type ExchangeChoice = { readonly kind: 'raydium' } | { readonly kind: 'local'; readonly seed: Uint8Array };

/** The configured adapter. Throws for one that this version does not have. */
export function createExchange(choice: ExchangeChoice, connection: Connection, genesisHash: string): Exchange {
  switch (choice.kind) {
    case 'local':
      return createLocalExchange({ connection, seed: choice.seed, genesisHash });
    case 'raydium':
      throw new Error('EXCHANGE=raydium is not part of this version; use EXCHANGE=local');
  }
}
