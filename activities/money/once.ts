import { VersionedTransaction } from '@solana/web3.js';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { createChainTransactionRepository, isLive } from '../../db/money/chain-transactions.ts';
import { type Db, transaction } from '../../db/connect.ts';
import type { ChainTransaction } from '../../db/schema.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { adoptFromHistory } from './adopt.ts';
import { bookStatuses } from './book-statuses.ts';
import type { FollowSettings, MoneyDeps } from './deps.ts';

/** A movement's transaction is finalized with an error: it paid its fee and moved nothing. A repeat builds a new one. */
export class MovementFailedError extends Error {
  constructor({ purpose, signature, error }: ChainTransaction) {
    super(`${purpose} failed on the chain as ${signature}: ${error}`);
    this.name = 'MovementFailedError';
  }
}

/** One movement of money by a transaction of its own. */
export interface Movement {
  readonly purpose: Purpose;
  /** Address in whose history the movement is found by its memo. */
  readonly escrow: string;
  /** Address whose own key signs every such movement; default the escrow itself. */
  readonly signer?: string;
  /** The movement cannot have landed before this slot; its history is not searched further back. Default: the first. */
  readonly sinceSlot?: number;
  /** The escrow's history was searched for this purpose a moment ago, with many others; it is not searched again. */
  readonly isSearched?: boolean;
  /**
   * Throws where the money is not to be moved any more, and locks what that depends on. It is asked in the database
   * transaction that persists the signed one: what a run decided while it was forgotten must not be carried out.
   */
  assertDue?(tx: Db): Promise<void>;
  /** Builds and signs the transaction, with the purpose as its memo; null where nothing is to be moved. */
  build(blockhash: string): Promise<SignedTransaction | null>;
  /** Hands the signed bytes to the chain, as often as it takes; default: to the RPC endpoints. */
  send?(wire: Uint8Array): Promise<unknown>;
}

/**
 * Moves money exactly once: sign, persist, send, confirm, finalize. Whatever an earlier run or another database copy did
 * is found in the ledger or in the escrow's history and followed to its end; a new transaction is built only when every
 * earlier one is proven dead or failed for good. Answers the finalized row, or null where nothing was to be moved.
 * Throws a MovementFailedError when the transaction failed for good.
 */
export async function moveOnce(
  deps: MoneyDeps,
  settings: FollowSettings,
  movement: Movement,
): Promise<ChainTransaction | null> {
  for (;;) {
    const row = (await findLive(deps, movement)) ?? (await signAndPersist(deps, movement));
    if (row === null) return null;
    const settled = await follow(deps, settings, movement, row);
    if (settled.status === 'finalized') return settled;
    if (settled.status === 'failed') throw new MovementFailedError(settled);
  }
}

async function findLive(deps: MoneyDeps, movement: Movement): Promise<ChainTransaction | null> {
  const { purpose, escrow, signer, sinceSlot } = movement;
  const ledger = createChainTransactionRepository(deps.db);
  const live = (await ledger.attemptsOf(purpose)).find(isLive);
  if (live || movement.isSearched) return live ?? null;
  await adoptFromHistory(deps, escrow, [purpose], signer, sinceSlot);
  return (await ledger.attemptsOf(purpose)).find(isLive) ?? null;
}

async function signAndPersist(deps: MoneyDeps, movement: Movement): Promise<ChainTransaction | null> {
  const { purpose } = movement;
  const ledger = createChainTransactionRepository(deps.db);
  const { blockhash, lastValidBlockHeight, slot } = await deps.rpc.latestBlockhash('confirmed');
  const signed = await movement.build(blockhash);
  if (signed === null) return null;
  const attempt = 1 + (await ledger.attemptsOf(purpose)).length;
  const { outcome } = await transaction(deps.db, async (tx) => {
    await movement.assertDue?.(tx);
    return createChainTransactionRepository(tx).insertSigned([
      {
        ...{ purpose, attempt, blockhash, signature: signed.signature, wire: signed.wire },
        ...{ blockhashSlot: BigInt(slot), lastValidBlockHeight: BigInt(lastValidBlockHeight) },
      },
    ]);
  });
  if (outcome === 'conflict') throw new Error(`${purpose} was signed by another run`);
  return ledger.bySignature(signed.signature);
}

/** Sends the same bytes until they are finalized, failed for good, or proven dead. Answers the row as it stands then. */
async function follow(
  deps: MoneyDeps,
  settings: FollowSettings,
  movement: Movement,
  first: ChainTransaction,
): Promise<ChainTransaction> {
  const ledger = createChainTransactionRepository(deps.db);
  if (first.status === 'signed') await ledger.startBroadcast([first]);
  for (let nextSendAt = 0; ;) {
    deps.heartbeat();
    await bookStatuses(deps, [first]);
    const row = await ledger.bySignature(first.signature);
    if (!row || !isLive(row) || row.status === 'finalized' || row.status === 'signed') return row ?? first;
    if (row.status !== 'landed' && (await isDead(deps, movement, row))) return row;
    if (row.status === 'broadcasting' && deps.now().getTime() >= nextSendAt) {
      await (movement.send?.(row.wire) ?? deps.rpc.sendWire(row.wire));
      nextSendAt = deps.now().getTime() + settings.resendMs;
    }
    await deps.sleep(settings.pollMs);
  }
}

/** Books a transaction as dead once that is proven. */
async function isDead(deps: MoneyDeps, { escrow }: Movement, row: ChainTransaction): Promise<boolean> {
  const { message } = VersionedTransaction.deserialize(row.wire);
  const verdict = await deps.rpc.proveDead({
    signatures: [row.signature],
    lastValidBlockHeight: Number(row.lastValidBlockHeight),
    blockhashSlot: Number(row.blockhashSlot),
    effects: [{ account: escrow, message: message.serialize() }],
  });
  if (verdict.verdict !== 'dead') return false;
  const { outcome } = await createChainTransactionRepository(deps.db).markDead(row.signature);
  deps.logger.warn({ purpose: row.purpose, signature: row.signature, outcome }, 'transaction is dead');
  return outcome !== 'refused';
}
