import { VersionedMessage } from '@solana/web3.js';
import type { Span } from '../../chain/rpc/absence.ts';
import { type HistoryEntry, saysTooLong, splitMemos } from '../../chain/rpc/history.ts';
import { shownMemo } from '../../chain/rpc/message-memo.ts';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import { MAX_COMPARED } from '../../chain/rpc/witness.ts';
import { isSignedBy } from '../../chain/transactions/verify.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { transaction } from '../../db/connect.ts';
import { landed as landedAt, mark, markDead } from '../../db/money/chain-transaction-marks.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { MoneyDeps } from './deps.ts';

type AdoptDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'logger'>;

export interface Search {
  /** Pays for them, base58: its history has all. */
  readonly escrow: string;
  /** base58. Anyone can write a memo; this signature proves that they are the platform's. */
  readonly signer: string;
  /** From the earliest slot they can have landed in. */
  readonly span: Span;
}

/**
 * Adopts transactions that the ledger lacks after a restore, or because a message was signed twice. Finds them by
 * their memo in the escrow's history; if that is too long it books nothing: the caller must go on.
 * @throws UnknownError if no quorum has the whole span: nothing proves that they did not land
 */
export async function adoptFromHistory(deps: AdoptDeps, search: Search, purposes: readonly Purpose[]): Promise<void> {
  const history = await historyOf(deps, search, (entry) => purposes.some((purpose) => carries(entry, purpose)));
  for (const purpose of purposes) {
    for (const { signature } of history.filter((candidate) => carries(candidate, purpose))) {
      await adopt(deps, search, { purpose, signature });
    }
  }
}

async function historyOf(
  { rpc, logger }: AdoptDeps,
  { escrow, span }: Search,
  isWanted: (entry: HistoryEntry) => boolean,
): Promise<HistoryEntry[]> {
  try {
    return await rpc.wholeHistoryOf(escrow, { ...span, commitment: 'confirmed', limit: MAX_COMPARED, isWanted });
  } catch (error) {
    if (!saysTooLong(error)) throw error;
    logger.warn({ escrow }, 'too many transactions name an escrow to look for its own');
    return [];
  }
}

interface Known {
  readonly purpose: Purpose;
  readonly signature: string;
}

/**
 * Adopts a known transaction if the chain has it without an error. One read, however long the history is.
 * @throws UnknownError if it is unknown whether it landed
 */
export async function adoptSigned(
  deps: AdoptDeps,
  search: Pick<Search, 'signer' | 'span'>,
  known: Known,
): Promise<void> {
  await adopt(deps, search, known, (landed) => carriesMemo(landed.message, known.purpose));
}

function carriesMemo(message: Uint8Array, purpose: Purpose): boolean {
  const memo = shownMemo(VersionedMessage.deserialize(message));
  return memo !== null && splitMemos(memo).includes(purpose);
}

function carries({ err, memo }: HistoryEntry, purpose: Purpose): boolean {
  return err === null && memo !== null && splitMemos(memo).includes(purpose);
}

async function adopt(
  deps: AdoptDeps,
  { signer, span }: Pick<Search, 'signer' | 'span'>,
  { purpose, signature }: Known,
  isOurs: (landed: LandedTransaction) => boolean = () => true,
): Promise<void> {
  if (await chainTransactions.bySignature(deps.db, signature)) return;
  const landed = await deps.rpc.landedSince(signature, span);
  if (landed?.err === null && isOurs(landed)) await book(deps, signer, purpose, landed);
}

async function book(deps: AdoptDeps, signer: string, purpose: Purpose, landed: LandedTransaction): Promise<void> {
  const { signature, slot } = landed;
  if (!isSignedBy(landed.wire, signer)) return;
  const { recentBlockhash: blockhash } = VersionedMessage.deserialize(landed.message);
  const validity = await validityOf(deps, slot);
  await transaction(deps.db, async (tx) => {
    const attempts = await chainTransactions.attemptsOf(tx, purpose);
    // Only one transaction of a purpose can take effect, and this one has.
    for (const row of attempts.filter(({ status }) => status === 'broadcasting')) await markDead(tx, row.signature);
    const { outcome } = await insertSigned(tx, [
      { purpose, signature, attempt: attempts.length + 1, wire: landed.wire, blockhash, ...validity },
    ]);
    if (outcome === 'conflict') throw new Error(`${signature} landed as ${purpose} beside another one in the ledger`);
    await mark(tx, landedAt(signature, BigInt(slot)));
  });
  deps.logger.warn({ purpose, signature }, 'found on the chain what the ledger did not know');
}

const BLOCKHASH_LIFETIME = 150;
/** Slots after which a blockhash has expired even if every second slot is skipped. */
const LIFETIME_SLOTS = 2 * BLOCKHASH_LIFETIME;

/** A fork may revert it and land it again, so it is dead only after the latest possible expiry of its blockhash. */
async function validityOf({ rpc }: AdoptDeps, slot: number) {
  const head = await rpc.agreedHead('confirmed');
  // At most one per slot.
  const height = head.blockHeight + Math.max(0, slot - head.slot);
  return {
    blockhashSlot: BigInt(Math.max(0, slot - LIFETIME_SLOTS)),
    lastValidBlockHeight: BigInt(height + BLOCKHASH_LIFETIME),
  };
}
