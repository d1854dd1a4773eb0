import type { AccountInfo, VersionedTransactionResponse } from '@solana/web3.js';

/** What is to be heard, all of it confirmed. */
export interface StreamWanted {
  /** Transactions that mention any of these addresses (base58) and succeeded. */
  readonly mentioned: readonly string[];
  /** Accounts (base58) that were written. */
  readonly accounts: readonly string[];
}

/** Something that happened on the chain. A stream is a hint: it may miss things, tell them twice, and be wrong. */
export type StreamEvent =
  | {
      readonly kind: 'transaction';
      readonly slot: number;
      /** Place in its block. */
      readonly index: number;
      readonly signature: string;
      /** As RPC answers it, without the time of its block. */
      readonly response: VersionedTransactionResponse;
    }
  | {
      readonly kind: 'account';
      readonly slot: number;
      readonly address: string;
      /** Null: it is gone. */
      readonly account: AccountInfo<Buffer> | null;
      /** The transaction that wrote it; null where nobody says so. */
      readonly signature: string | null;
    }
  | {
      readonly kind: 'block';
      readonly slot: number;
      readonly parent: number;
      /** Unix time in seconds. */
      readonly blockTime: number | null;
    }
  | { readonly kind: 'slot'; readonly slot: number; readonly status: 'confirmed' | 'finalized' | 'dead' }
  /** Something was told that nobody understands. */
  | { readonly kind: 'unreadable'; readonly error: unknown };

/** A stream that is open. */
export interface OpenStream {
  /** Asks for something else from now on. */
  change(wanted: StreamWanted): void;
  /** Resolves with the reason when the stream ended, whoever ended it. */
  readonly ended: Promise<Error>;
  close(): void;
}

/** The port to a stream of what happens on the chain. */
export interface ChainStream {
  /** Host of the endpoint, for logs. */
  readonly host: string;
  /** The oldest slot that a stream can begin with; null where it can only begin now. Rejects where nobody answers. */
  firstAvailable(): Promise<number | null>;
  /** Opens a stream that begins with a slot, or now. Events come in the order in which they were told. */
  open(wanted: StreamWanted, fromSlot: number | null, hear: (event: StreamEvent) => void): OpenStream;
  close(): void;
}
