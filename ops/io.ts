import type { ExchangeAdapter } from '../chain/exchange/exchange-adapter.ts';

export interface OpsIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of a local stack, if a variable is missing. */
  readonly stackFile: string;
  readonly user: () => string;
  readonly exchange: (lookupTable: string) => ExchangeAdapter;
  readonly write: (text: string) => void;
  /** No part of the result. */
  readonly progress?: (text: string) => void;
}

/** Says that nothing was done, and why; exit status 1. */
export class OpsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OpsError';
  }
}
