import type { Landed } from './landed.ts';

export interface Listed {
  readonly signature: string;
  readonly slot: number;
  readonly hasFailed: boolean;
}

export interface Range {
  /** Begin before this signature; default: the newest. */
  readonly before?: string;
  /** End behind this signature; default: the oldest. */
  readonly until?: string;
  /** Number of entries to read at most; the rest is left unread. */
  readonly most: number;
}

export interface History {
  /** Newest first. */
  readonly entries: readonly Listed[];
  /** Read to its end. */
  readonly isWhole: boolean;
}

/** A block without its transactions. */
export interface Block {
  readonly blockhash: string;
  /** In order. */
  readonly signatures: readonly string[];
}

export type Commitment = 'confirmed' | 'finalized';

/** The place of a block. */
export interface FirstBlock {
  readonly slot: number;
  readonly blockhash: string;
}

export interface AccountState {
  /** Owns it. */
  readonly program: string;
  readonly data: Uint8Array;
}

/** The chain as the caller's own endpoints show it, `finalized` by default. Throws a Difference if they differ. */
export interface Chain {
  /** Names the source in a report. */
  readonly name: string;
  /** Over all endpoints. */
  readonly calls: number;
  genesisHash(): Promise<string>;
  /** The slot that all endpoints had at the first call; histories end there. */
  head?(): Promise<number>;
  /** Null where no endpoint has it at this commitment; default: finalized. */
  transaction(signature: string, commitment?: Commitment): Promise<Landed | null>;
  /** Lists transactions, failed ones too. */
  history(address: string, range: Range): Promise<History>;
  accounts(addresses: readonly string[]): Promise<readonly (AccountState | null)[]>;
  block(slot: number): Promise<Block>;
  /** Returns the first block at or after a slot. Its parent's slot, which is earlier, proves that it is the first. */
  firstBlock(slot: number): Promise<FirstBlock>;
}
