import { BLOCKHASH_BLOCKS, blockAt } from './block-at.ts';
import { answersOf, type EndpointSet, type Reply, saidByQuorum } from './endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import type { RecentBlockhash } from './recent-blockhash.ts';
import { BlockhashShape, BlockhashValidShape } from './shapes.ts';
import { askTransaction, type LandedTransaction } from './transactions.ts';

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/** The same where somebody waits, and the prompt ones mostly suffice. */
const PROMPT_MS = 300;

/**
 * A transaction as a quorum of endpoints has it, with the same slot, outcome and balance changes; null where no quorum does.
 * Whatever is booked is read from here. Its time is null where no quorum says the same: nodes lose the times of blocks, and what
 * happened does not depend on when.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function agreedTransaction(
  endpoints: EndpointSet,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | null> {
  const ask = async (graceMs: number) =>
    agreedAmong(endpoints, await endpoints.promptReplies((one) => askTransaction(one, signature, commitment), graceMs));
  const prompt = commitment === 'confirmed' ? await ask(PROMPT_MS) : null;
  return prompt ?? ask(GRACE_MS);
}

function agreedAmong(
  endpoints: EndpointSet,
  replies: readonly Reply<LandedTransaction | null>[],
): LandedTransaction | null {
  const said = answersOf(replies).filter((landed) => landed !== null);
  const factsOf = new Map(said.map((landed) => [landed, bookedFacts(landed)]));
  const isSame = (one: LandedTransaction, other: LandedTransaction) => factsOf.get(one) === factsOf.get(other);
  const agreed = saidByQuorum(endpoints, said, isSame);
  if (!agreed) return null;
  const times = said.filter((one) => isSame(one, agreed)).map(({ blockTime }) => blockTime);
  return { ...agreed, blockTime: saidByQuorum(endpoints, times) ?? null };
}

/** Everything of a transaction that books are made from, but its time; the order of what lookup tables brought says what its instructions name. */
function bookedFacts({ lamportChanges, tokenChanges, ...landed }: LandedTransaction): string {
  const { slot, err, fee, wire, loadedAddresses } = landed;
  const tokens = tokenChanges.map(({ account, mint, owner, change }) => [account, mint, owner, String(change)].join());
  const lamports = [...lamportChanges].map(([account, change]) => `${account},${change}`).toSorted();
  const bytes = Buffer.from(wire).toString('base64');
  return JSON.stringify([slot, err, String(fee), bytes, loadedAddresses, lamports, tokens.toSorted()]);
}

/** Blocks by which endpoints may differ in how long a blockhash is good. */
const HEIGHT_SLACK = 32;

/**
 * The newest confirmed blockhash that a quorum of endpoints takes. One endpoint alone could name a hash that nothing lands with,
 * or say that it is good for longer than it is.
 * @throws RpcUnavailableError when no endpoint answered, or no quorum takes the same one.
 */
export function agreedBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, isTaken);
}

/**
 * The newest confirmed blockhash whose slot and end are those of the block as a quorum of endpoints has it.
 * @throws like `agreedBlockhash`.
 */
export function provenBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, isOfItsBlock);
}

/** Whether a quorum bears out what one endpoint says of a blockhash. */
type BearsOut = (endpoints: EndpointSet, said: RecentBlockhash) => Promise<boolean>;

async function newestThat(endpoints: EndpointSet, isBorneOut: BearsOut): Promise<RecentBlockhash> {
  const isPlausible = (one: RecentBlockhash, said: readonly RecentBlockhash[]) =>
    said.filter((other) => isNear(other, one)).length >= endpoints.quorum;
  const isEnough = (said: readonly RecentBlockhash[]) => said.some((one) => isPlausible(one, said));
  const replies = await endpoints.promptReplies(askBlockhash, GRACE_MS, isEnough);
  const said = answersOf(replies).toSorted((a, b) => b.lastValidBlockHeight - a.lastValidBlockHeight);
  if (endpoints.quorum === 1) return said[0]!;
  for (const blockhash of said) {
    if (isPlausible(blockhash, said) && (await isBorneOut(endpoints, blockhash))) return blockhash;
  }
  throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints take the same blockhash`);
}

async function askBlockhash(endpoint: RpcEndpoint): Promise<RecentBlockhash> {
  const { value, context } = await endpoint.call('getLatestBlockhash', [{ commitment: 'confirmed' }], BlockhashShape);
  return { ...value, slot: context.slot };
}

function isNear(a: RecentBlockhash, b: RecentBlockhash): boolean {
  return Math.abs(a.lastValidBlockHeight - b.lastValidBlockHeight) <= HEIGHT_SLACK;
}

async function isOfItsBlock(endpoints: EndpointSet, said: RecentBlockhash): Promise<boolean> {
  // The newest block may not have reached a second endpoint yet.
  const block = await blockAt(endpoints, said.slot).catch(() => null);
  if (block === null) return false;
  return block.blockhash === said.blockhash && block.blockHeight + BLOCKHASH_BLOCKS === said.lastValidBlockHeight;
}

async function isTaken(endpoints: EndpointSet, { blockhash }: RecentBlockhash): Promise<boolean> {
  const options = { commitment: 'processed' };
  const isTakenBy = (said: readonly { readonly value: boolean }[]) =>
    said.filter(({ value }) => value).length >= endpoints.quorum;
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('isBlockhashValid', [blockhash, options], BlockhashValidShape),
    GRACE_MS,
    isTakenBy,
  );
  return isTakenBy(answersOf(replies));
}
