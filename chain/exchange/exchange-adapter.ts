import type { Connection, PublicKey } from '@solana/web3.js';
import type { Rpc } from '../rpc/rpc.ts';
import type { LookupTableRpc, ReadLookupTables } from '../transactions/lookup-table.ts';
import type { Exchange } from './exchange.ts';

export interface ExchangeProgram {
  readonly name: string;
  readonly address: PublicKey;
}

/** An exchange that a process's entry point chooses; no variable does. */
export interface ExchangeAdapter {
  /** A process that signs launches passes a quorum to read from. */
  open(connection: Connection, genesisHash: string, quorum?: Pick<Rpc, 'accountsByEndpoint'>): Exchange;
  lookupTables(rpc: LookupTableRpc): ReadLookupTables;
  /** Must be on the chain, beside the token programs. */
  readonly programs: readonly ExchangeProgram[];
}
