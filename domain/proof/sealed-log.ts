import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { DocumentHead, DocumentRows } from './lines.ts';

/** The public list of the platform's wallets, as a log commits to it. */
export interface WalletListRoot {
  /** Entries, from number 1 without gaps. */
  readonly count: number;
  /** Merkle root of their lines, hex. */
  readonly root: string;
}

/** A price as it was when a log was written. */
export interface LoggedPrice {
  readonly mint: string;
  /** For a whole token, exact decimal. */
  readonly usd: string;
  readonly source: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface SealedLogFacts {
  readonly environment: string;
  readonly genesisHash: string;
  readonly number: number;
  /** Root of the log before it, as it was sealed; null for the first. */
  readonly previous: string | null;
  /** Finalized when the log was written. */
  readonly slot: number;
  /** The address that its seal names: the key that signs receipts. */
  readonly receiptKey: string;
  readonly wallets: WalletListRoot;
  /** Of the quote tokens of open reward rounds, and of SOL. */
  readonly prices: readonly LoggedPrice[];
  /** sha256 of each receipt that no log before it has, hex. */
  readonly digests: readonly string[];
}

/**
 * A log of what the platform signed, which wallets it has, and prices in USD. A row is the sha256 of one receipt, hex.
 */
export function sealedLog(log: SealedLogFacts): { head: DocumentHead; rows: DocumentRows } {
  const { digests, wallets, prices, ...facts } = log;
  const inOrder = prices.toSorted((a, b) => (a.mint < b.mint ? -1 : 1));
  const head = { kind: 'log', ...facts, wallets: { ...wallets }, prices: inOrder.map((price) => ({ ...price })) };
  return { head, rows: { count: digests.length, rows: digests.toSorted().map((digest) => [digest]) } };
}

const LogHead = Compile(Type.Object({ kind: Type.Literal('log'), receiptKey: Type.String() }));

/** True if it is the head of a log's document. */
export function isLogHead(head: unknown): head is Pick<SealedLogFacts, 'receiptKey'> {
  return LogHead.Check(head);
}

/** An entry of the list of wallets. */
export interface WalletLineFacts {
  readonly number: number;
  readonly role: string;
  readonly address: string;
  readonly mint: string | null;
  readonly event: string;
  readonly slot: bigint;
}

/** The text of an entry in the tree of the list: its fields but the time at which it was written. */
export function walletLine({ number, role, address, mint, event, slot }: WalletLineFacts): string {
  return [number, role, address, mint ?? '', event, slot].join('\t');
}
