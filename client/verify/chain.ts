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
  /** Then the rest is left unread. */
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

/** The chain at `finalized`, unless another commitment is named, by the caller's own endpoints. Throws a Difference where they differ. */
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
  /** The first block at or after a slot: its parent is before the slot. */
  firstBlock(slot: number): Promise<FirstBlock>;
}
