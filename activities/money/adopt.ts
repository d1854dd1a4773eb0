import { VersionedMessage } from '@solana/web3.js';
import { type HistoryEntry, saysTooLong, splitMemos, uniteHistories } from '../../chain/rpc/history.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
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

/**
 * Books transactions that the chain holds and the ledger does not: one whose message was signed a second time, or
 * anything after the database was restored. They are found by their memo in the history of the escrow that pays for
 * them. Anybody can write a memo, so only what the key of `signer` (default: the escrow's own) has signed counts, and
 * only from `sinceSlot` on. Where there are too many transactions to look at, nothing is booked: who asks must be able to go on
 * without an answer.
 */
export async function adoptFromHistory(
  deps: AdoptDeps,
  escrow: string,
  purposes: readonly Purpose[],
  signer = escrow,
  sinceSlot = 0,
): Promise<void> {
  const history = await historyOf(deps, escrow, sinceSlot);
  for (const purpose of purposes) {
    for (const entry of history.filter((candidate) => carries(candidate, purpose))) {
      await adopt(deps, signer, purpose, entry);
    }
  }
}

async function historyOf({ rpc, logger }: AdoptDeps, escrow: string, sinceSlot: number): Promise<HistoryEntry[]> {
  try {
    const range = { commitment: 'confirmed', afterSlot: sinceSlot - 1, limit: MAX_COMPARED } as const;
    return uniteHistories(await rpc.quorumHistoriesOf(escrow, range));
  } catch (error) {
    if (!saysTooLong(error)) throw error;
    logger.warn({ escrow }, 'too many transactions name an escrow to look for its own');
    return [];
  }
}

/**
 * Books a transaction of which the id is known, where the chain holds it without an error and the ledger does not: one read,
 * however long any history is.
 * @throws RpcUnavailableError where it is not known whether it landed.
 */
export async function adoptSigned(
  deps: AdoptDeps,
  { purpose, signature, signer }: { readonly purpose: Purpose; readonly signature: string; readonly signer: string },
): Promise<void> {
  if (await chainTransactions.bySignature(deps.db, signature)) return;
  const landed = await landedOf(deps, signature);
  if (landed !== null && carriesMemo(landed.message, purpose)) await book(deps, signer, purpose, landed);
}

/**
 * A transaction that succeeded, as a quorum has it, its slot included; null where a quorum has not got it: whoever takes it for absent
 * may refuse for good what it did.
 */
async function landedOf({ rpc }: AdoptDeps, signature: string): Promise<LandedTransaction | null> {
  const landed = await rpc.agreedTransaction(signature, 'confirmed');
  if (landed !== null) return landed.err === null ? landed : null;
  if ((await rpc.absentSignatures([signature])).has(signature)) return null;
  throw new RpcUnavailableError(`no quorum of RPC endpoints says the same of ${signature}`);
}

function carriesMemo(message: Uint8Array, purpose: Purpose): boolean {
  const memo = shownMemo(VersionedMessage.deserialize(message));
  return memo !== null && splitMemos(memo).includes(purpose);
}

function carries({ err, memo }: HistoryEntry, purpose: Purpose): boolean {
  return err === null && memo !== null && splitMemos(memo).includes(purpose);
}

async function adopt(deps: AdoptDeps, signer: string, purpose: Purpose, { signature }: HistoryEntry): Promise<void> {
  if (await chainTransactions.bySignature(deps.db, signature)) return;
  const landed = await landedOf(deps, signature);
  if (landed !== null) await book(deps, signer, purpose, landed);
}

async function book(deps: AdoptDeps, signer: string, purpose: Purpose, landed: LandedTransaction): Promise<void> {
  const { signature, slot } = landed;
  if (!isSignedBy(landed.wire, signer)) return;
  const { recentBlockhash: blockhash } = VersionedMessage.deserialize(landed.message);
  const validity = await validityOf(deps, slot);
  await transaction(deps.db, async (tx) => {
    const attempts = await chainTransactions.attemptsOf(tx, purpose);
    // Of two transactions with the same purpose only one can take effect, and this one has.
    for (const row of attempts.filter(({ status }) => status === 'broadcasting')) await markDead(tx, row.signature);
    const { outcome } = await insertSigned(tx, [
      { purpose, signature, attempt: attempts.length + 1, wire: landed.wire, blockhash, ...validity },
    ]);
    if (outcome === 'conflict') throw new Error(`${signature} landed as ${purpose} beside another one in the ledger`);
    await mark(tx, landedAt(signature, BigInt(slot)));
  });
  deps.logger.warn({ purpose, signature }, 'found on the chain what the ledger did not know');
}

/** Blocks that a blockhash is valid for. */
const BLOCKHASH_LIFETIME = 150;
/** Slots within which so many blocks are made even where every second one is skipped. */
const LIFETIME_SLOTS = 2 * BLOCKHASH_LIFETIME;

/**
 * Bounds of when a transaction that landed in a slot could have landed at all: a fork may take it back and another one
 * land it again, so it is not dead before the last moment at which its blockhash can be good.
 */
async function validityOf({ rpc }: AdoptDeps, slot: number) {
  const head = await rpc.agreedHead('confirmed');
  // A height grows by at most one a slot.
  const height = head.blockHeight + Math.max(0, slot - head.slot);
  return {
    blockhashSlot: BigInt(Math.max(0, slot - LIFETIME_SLOTS)),
    lastValidBlockHeight: BigInt(height + BLOCKHASH_LIFETIME),
  };
}
