import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCKHASH_BLOCKS, blockAt } from './block-at.ts';
import { answersOf, type EndpointSet, type Reply, saidByQuorum } from './endpoints.ts';
import { isNear } from './head.ts';
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

/** Target time of a slot, ms. */
const SLOT_MS = 400;

/**
 * The newest confirmed blockhash that a quorum of endpoints takes. One endpoint alone could name a hash that nothing lands with,
 * or say that it is good for longer than it is.
 * @throws RpcUnavailableError when no endpoint answered, or no quorum takes the same one.
 */
export function agreedBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, ofThoseWhoTakeIt);
}

/**
 * The newest confirmed blockhash whose slot and end are those of the block as a quorum of endpoints has it.
 * @throws like `agreedBlockhash`.
 */
export function provenBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, ofItsBlock);
}

/** What a quorum bears out of what one endpoint says of a blockhash, and `alike` ones nearly the same; null for nothing. */
type BearsOut = (
  endpoints: EndpointSet,
  said: RecentBlockhash,
  alike: readonly RecentBlockhash[],
) => Promise<RecentBlockhash | null>;

async function newestThat(endpoints: EndpointSet, bearOut: BearsOut): Promise<RecentBlockhash> {
  const alike = (one: RecentBlockhash, said: readonly RecentBlockhash[]) => said.filter((other) => isAlike(other, one));
  const isPlausible = (one: RecentBlockhash, said: readonly RecentBlockhash[]) =>
    alike(one, said).length >= endpoints.quorum;
  const isEnough = (said: readonly RecentBlockhash[]) => said.some((one) => isPlausible(one, said));
  const newestOf = async (enough?: typeof isEnough): Promise<RecentBlockhash | null> => {
    const replies = await endpoints.promptReplies(askBlockhash, GRACE_MS, enough);
    const said = answersOf(replies).toSorted((a, b) => b.lastValidBlockHeight - a.lastValidBlockHeight);
    if (endpoints.quorum === 1) return said[0]!;
    for (const one of said.filter((blockhash) => isPlausible(blockhash, said))) {
      const borneOut = await bearOut(endpoints, one, alike(one, said));
      if (borneOut !== null) return borneOut;
    }
    return null;
  };
  const prompt = await newestOf(isEnough);
  if (prompt !== null) return prompt;
  // The first two to answer may be a slot apart, or one of them may have lied: everybody is asked.
  await sleep(SLOT_MS);
  const found = await newestOf();
  if (found !== null) return found;
  throw new RpcUnavailableError(`no ${endpoints.quorum} RPC endpoints take the same blockhash`);
}

async function askBlockhash(endpoint: RpcEndpoint): Promise<RecentBlockhash> {
  const { value, context } = await endpoint.call('getLatestBlockhash', [{ commitment: 'confirmed' }], BlockhashShape);
  return { ...value, slot: context.slot };
}

function isAlike(a: RecentBlockhash, b: RecentBlockhash): boolean {
  return Math.abs(a.lastValidBlockHeight - b.lastValidBlockHeight) <= HEIGHT_SLACK && isNear(a.slot, b.slot);
}

async function ofItsBlock(endpoints: EndpointSet, said: RecentBlockhash): Promise<RecentBlockhash | null> {
  // The newest block may not have reached a second endpoint yet.
  const block = await blockAt(endpoints, said.slot).catch(() => null);
  if (block?.blockhash !== said.blockhash) return null;
  return block.blockHeight + BLOCKHASH_BLOCKS === said.lastValidBlockHeight ? said : null;
}

/** Its slot is the earliest of those who say nearly the same: nothing on this blockhash is older than that. */
async function ofThoseWhoTakeIt(
  endpoints: EndpointSet,
  said: RecentBlockhash,
  alike: readonly RecentBlockhash[],
): Promise<RecentBlockhash | null> {
  const options = { commitment: 'processed' };
  const isTakenBy = (answers: readonly { readonly value: boolean }[]) =>
    answers.filter(({ value }) => value).length >= endpoints.quorum;
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('isBlockhashValid', [said.blockhash, options], BlockhashValidShape),
    GRACE_MS,
    isTakenBy,
  );
  return isTakenBy(answersOf(replies)) ? { ...said, slot: Math.min(...alike.map(({ slot }) => slot)) } : null;
}
