import type { AccountInfo, VersionedTransactionResponse } from '@solana/web3.js';

/** Filters of a stream at `confirmed`. */
export interface StreamWanted {
  /** base58: successful transactions that mention any. */
  readonly mentioned: readonly string[];
  /** base58: writes to report. */
  readonly accounts: readonly string[];
}

/** A hint: events may be missing, repeated or wrong. */
export type StreamEvent =
  | {
      readonly kind: 'transaction';
      readonly slot: number;
      /** Index in the block. */
      readonly index: number;
      readonly signature: string;
      /** Without block time. */
      readonly response: VersionedTransactionResponse;
    }
  | {
      readonly kind: 'account';
      readonly slot: number;
      readonly address: string;
      /** Null if closed. */
      readonly account: AccountInfo<Buffer> | null;
      /** The writer; null if unknown. */
      readonly signature: string | null;
    }
  | {
      readonly kind: 'block';
      readonly slot: number;
      readonly parent: number;
      /** Unix seconds. */
      readonly blockTime: number | null;
    }
  | { readonly kind: 'slot'; readonly slot: number; readonly status: 'confirmed' | 'finalized' | 'dead' }
  /** Could not be decoded. */
  | { readonly kind: 'unreadable'; readonly error: unknown };

export interface OpenStream {
  change(wanted: StreamWanted): void;
  /** When either side ends the stream. */
  readonly ended: Promise<Error>;
  close(): void;
}

export interface ChainStream {
  readonly host: string;
  /** Null: it can only start now. Rejects without a response. */
  firstAvailable(): Promise<number | null>;
  /** Opens at a slot, or now; events come in the server's order. */
  open(wanted: StreamWanted, fromSlot: number | null, receive: (event: StreamEvent) => void): OpenStream;
  close(): void;
}
