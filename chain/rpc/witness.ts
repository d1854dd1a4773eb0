import { VersionedMessage } from '@solana/web3.js';
import { batchesOf } from '../../domain/batches.ts';
import { askHistory, askNewest, type HistoryEntry, HistoryTooLongError } from './history.ts';
import type { RpcEndpoint } from './json-rpc.ts';
import { type Mark, showsAny } from './marks.ts';
import { shownMemo } from './message-memo.ts';
import { assertReachesBack, NoTestimonyError } from './reach.ts';
import { AccountShape, BlockhashValidShape, EpochInfoShape } from './shapes.ts';
import { askStatuses, type Commitment, type EndpointStatus } from './statuses.ts';
import { askTransaction } from './transactions.ts';

/**
 * A trace regardless of the signature: an account that no earlier transaction of the platform touched, such as the
 * launch wallet.
 */
export interface Effect {
  readonly account: string;
  /**
   * With it only a transaction with exactly this message is a trace, which excludes strangers'. Without it any history
   * or balance is one.
   */
  readonly message?: Uint8Array;
  /**
   * At least one shows its mark after success; if none does, the transaction did not succeed and no history is
   * searched, which strangers can extend for a small fee each.
   */
  readonly marks?: readonly Mark[];
}

/** One transaction, or several of which none may have landed. */
export interface DeathCase {
  /** All known ones, base58. */
  readonly signatures: readonly string[];
  readonly lastValidBlockHeight: number;
  /** Slot of the blockhash's read; the transaction cannot have landed earlier. */
  readonly blockhashSlot: number;
  readonly effects: readonly Effect[];
}

/** `effect`: an unexplained balance or history; `isLasting` if no later read can explain it. */
export type Trace =
  | { readonly by: 'signature'; readonly signature: string; readonly status: EndpointStatus }
  | { readonly by: 'effect'; readonly detail: string; readonly isLasting?: boolean };

export type Testimony =
  | { readonly kind: 'not-expired'; readonly blockHeight: number; readonly trace: Trace | null }
  /** `trace`: what the endpoint has from `slot` back to the blockhash, or null. */
  | { readonly kind: 'expired'; readonly slot: number; readonly trace: Trace | null };

/** Past the last valid height, final: no leader still works on an older fork. */
export const EXPIRY_MARGIN_BLOCKS = 32;

/** Compared per effect account: anyone can add some for a small fee. */
export const MAX_COMPARED = 1_000;
const COMPARED_AT_ONCE = 10;

/** @throws NoTestimonyError, RpcAnswerError or RpcUnavailableError when the endpoint cannot testify */
export async function testimonyOf(endpoint: RpcEndpoint, question: DeathCase): Promise<Testimony> {
  const { absoluteSlot, blockHeight } = await endpoint.call(
    'getEpochInfo',
    [{ commitment: 'finalized' }],
    EpochInfoShape,
  );
  const { slot, statuses } = await askStatuses(endpoint, question.signatures);
  const seen = signatureTrace(question.signatures, statuses);
  if (blockHeight <= question.lastValidBlockHeight + EXPIRY_MARGIN_BLOCKS) {
    return { kind: 'not-expired', blockHeight, trace: seen };
  }
  if (seen) return { kind: 'expired', slot: absoluteSlot, trace: seen };
  // Several nodes may serve one address: each response must be as new as the first.
  if (slot < absoluteSlot) {
    throw new NoTestimonyError(
      `${endpoint.name} answered statuses of slot ${slot}, older than its finalized ${absoluteSlot}`,
    );
  }
  await assertBlockhashesExpired(endpoint, question, absoluteSlot);
  const trace = await effectTrace(endpoint, question, absoluteSlot);
  // Read last: history only gets shorter, so what reaches back now did so above.
  await assertReachesBack(endpoint, question.blockhashSlot);
  return { kind: 'expired', slot: absoluteSlot, trace };
}

/**
 * The last valid block height came from one endpoint: each witness checks the blockhash again, so that one wrong figure
 * cannot mark a transaction dead that may land.
 */
async function assertBlockhashesExpired(endpoint: RpcEndpoint, question: DeathCase, slot: number): Promise<void> {
  const messages = question.effects.flatMap(({ message }) => (message ? [VersionedMessage.deserialize(message)] : []));
  for (const blockhash of new Set(messages.map(({ recentBlockhash }) => recentBlockhash))) {
    const options = { commitment: 'processed', minContextSlot: slot };
    const { value } = await endpoint.call('isBlockhashValid', [blockhash, options], BlockhashValidShape);
    if (!value) continue;
    const { lastValidBlockHeight } = question;
    throw new NoTestimonyError(
      `${endpoint.name} still takes blockhash ${blockhash}, whose last block height was said to be ${lastValidBlockHeight}`,
    );
  }
}

const DEPTH: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };

function signatureTrace(signatures: readonly string[], statuses: readonly (EndpointStatus | null)[]): Trace | null {
  const traces = signatures.flatMap((signature, index) => {
    const status = statuses[index];
    return status ? [{ by: 'signature' as const, signature, status }] : [];
  });
  return traces.toSorted((a, b) => DEPTH[b.status.commitment] - DEPTH[a.status.commitment])[0] ?? null;
}

async function effectTrace(endpoint: RpcEndpoint, question: DeathCase, slot: number): Promise<Trace | null> {
  for (const effect of question.effects) {
    const trace = await traceAt(endpoint, effect, question.blockhashSlot, slot);
    if (trace) return trace;
  }
  return null;
}

async function traceAt(endpoint: RpcEndpoint, effect: Effect, since: number, slot: number): Promise<Trace | null> {
  const { account, message, marks } = effect;
  if (marks && !(await showsAny(endpoint, marks, slot))) return null;
  const options = { commitment: 'finalized', minContextSlot: slot, encoding: 'base64' };
  const { context, value } = await endpoint.call('getAccountInfo', [account, options], AccountShape);
  if (context.slot < slot) {
    throw new NoTestimonyError(`${endpoint.name} answered ${account} of slot ${context.slot}, older than ${slot}`);
  }
  return message
    ? messageTrace(endpoint, account, message, { since, slot, isEmpty: value === null })
    : anyTrace(endpoint, account, { slot, lamports: value?.lamports ?? 0 });
}

/** Finds a trace without a message: any history and any balance counts. */
async function anyTrace(
  endpoint: RpcEndpoint,
  account: string,
  { slot, lamports }: { readonly slot: number; readonly lamports: number | bigint },
): Promise<Trace | null> {
  const [newest] = await askNewest(endpoint, account, slot);
  if (newest) return { by: 'effect', detail: `${account} has a history, last ${newest.signature}` };
  return lamports === 0 ? null : unexplained(account);
}

/** Finds a trace of this message; if a history explains the balance, only a transaction with the message counts. */
async function messageTrace(
  endpoint: RpcEndpoint,
  account: string,
  message: Uint8Array,
  { since, slot, isEmpty }: { readonly since: number; readonly slot: number; readonly isEmpty: boolean },
): Promise<Trace | null> {
  const ours = await searched(endpoint, account, message, { since, slot });
  if (ours !== 'no history') return ours;
  if (isEmpty) return null;
  const older = await askNewest(endpoint, account, slot);
  return older.length > 0 ? null : unexplained(account);
}

/** A history too long to search proves nothing. */
async function searched(
  endpoint: RpcEndpoint,
  account: string,
  message: Uint8Array,
  { since, slot }: { readonly since: number; readonly slot: number },
): Promise<Trace | 'no history' | null> {
  try {
    const range = { afterSlot: since - 1, minContextSlot: slot, limit: MAX_COMPARED };
    const entries = await askHistory(endpoint, account, range);
    return entries.length === 0 ? 'no history' : await findMessage(endpoint, message, entries);
  } catch (error) {
    if (!(error instanceof HistoryTooLongError)) throw error;
    const detail = `${account} shows what happened, and too many transactions to say by which`;
    return { by: 'effect', detail, isLasting: true };
  }
}

function unexplained(account: string): Trace {
  return { by: 'effect', detail: `${account} has a balance that no transaction explains` };
}

/** Finds a transaction with this message under any signature. */
export async function findMessage(
  endpoint: RpcEndpoint,
  message: Uint8Array,
  entries: readonly HistoryEntry[],
): Promise<Trace | null> {
  const memo = shownMemo(VersionedMessage.deserialize(message));
  const candidates = entries.filter((entry) => entry.memo === null || entry.memo === memo);
  if (candidates.length > MAX_COMPARED) {
    throw new HistoryTooLongError(
      `${candidates.length} transactions carry the memo ${memo}, at most ${MAX_COMPARED} are compared`,
    );
  }
  for (const batch of batchesOf(candidates, COMPARED_AT_ONCE)) {
    const carries = await Promise.all(batch.map(({ signature }) => carriesMessage(endpoint, signature, message)));
    const found = batch[carries.indexOf(true)];
    if (found)
      return {
        by: 'signature',
        signature: found.signature,
        status: { commitment: 'finalized', slot: found.slot, err: found.err },
      };
  }
  return null;
}

async function carriesMessage(endpoint: RpcEndpoint, signature: string, message: Uint8Array): Promise<boolean> {
  const transaction = await askTransaction(endpoint, signature, 'finalized');
  if (!transaction) throw new NoTestimonyError(`${endpoint.name} lists transaction ${signature} but has not got it`);
  return Buffer.compare(transaction.message, message) === 0;
}
