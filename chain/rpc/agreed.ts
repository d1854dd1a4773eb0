import { setTimeout as sleep } from 'node:timers/promises';
import { BLOCKHASH_BLOCKS, blockAt } from './block-at.ts';
import { answersOf, type EndpointSet, agreedByQuorum, type QuorumWait } from './endpoints.ts';
import { isNear } from './head.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';
import type { RecentBlockhash } from './recent-blockhash.ts';
import { BlockhashShape, BlockhashValidShape } from './shapes.ts';
import { askTransaction, type LandedTransaction } from './transactions.ts';

const GRACE_MS = 2_000;

/** Shorter wait for callers that block on it. */
const PROMPT_MS = 300;

/**
 * A transaction that a quorum has with equal slot, outcome and balance changes; null without one. All records are made
 * from it. Its time is null without a quorum: nodes lose block times.
 *
 * @throws RpcUnavailableError when no endpoint responded
 */
export async function agreedTransaction(
  endpoints: EndpointSet,
  signature: string,
  commitment: 'confirmed' | 'finalized',
): Promise<LandedTransaction | null> {
  type Said = readonly (LandedTransaction | null)[];
  const isDecided = (said: Said) =>
    said.filter((one) => one === null).length >= endpoints.quorum || agreedAmong(endpoints, said) !== null;
  const ask = async (wait: QuorumWait<LandedTransaction | null>) => {
    const replies = await endpoints.quorumReplies((one) => askTransaction(one, signature, commitment), wait);
    return agreedAmong(endpoints, answersOf(replies));
  };
  // Takes what a quorum said, decided or not: all are asked again.
  const prompt = commitment === 'confirmed' ? await ask({ graceMs: PROMPT_MS }) : null;
  return prompt ?? ask({ graceMs: GRACE_MS, isDecided });
}

function agreedAmong(endpoints: EndpointSet, answers: readonly (LandedTransaction | null)[]): LandedTransaction | null {
  const said = answers.filter((landed) => landed !== null);
  const factsOf = new Map(said.map((landed) => [landed, bookedFacts(landed)]));
  const isSame = (one: LandedTransaction, other: LandedTransaction) => factsOf.get(one) === factsOf.get(other);
  const agreed = agreedByQuorum(endpoints, said, isSame);
  if (!agreed) return null;
  const times = said.filter((one) => isSame(one, agreed)).map(({ blockTime }) => blockTime);
  return { ...agreed, blockTime: agreedByQuorum(endpoints, times) ?? null };
}

/** Every recorded fact but the time. The order of loaded addresses matters: instructions refer to it. */
function bookedFacts({ lamportChanges, tokenChanges, ...landed }: LandedTransaction): string {
  const { slot, err, fee, wire, loadedAddresses } = landed;
  const tokens = tokenChanges.map(({ account, mint, owner, change }) => [account, mint, owner, String(change)].join());
  const lamports = [...lamportChanges].map(([account, change]) => `${account},${change}`).toSorted();
  const bytes = Buffer.from(wire).toString('base64');
  return JSON.stringify([slot, err, String(fee), bytes, loadedAddresses, lamports, tokens.toSorted()]);
}

/** Accepted difference in a blockhash's last block height. */
const HEIGHT_SLACK = 32;

/** Target time of a slot, ms. */
const SLOT_MS = 400;

/**
 * The newest confirmed blockhash that a quorum accepts. One endpoint could name a hash that lands nothing, or
 * exaggerate its validity.
 *
 * @throws RpcUnavailableError when no endpoint responded, or no quorum accepts the same one
 */
export function agreedBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, ofThoseWhoTakeIt);
}

/**
 * The newest confirmed blockhash whose slot and end match a quorum's block.
 *
 * @throws as `agreedBlockhash`
 */
export function provenBlockhash(endpoints: EndpointSet): Promise<RecentBlockhash> {
  return newestThat(endpoints, ofItsBlock);
}

/** `alike`: nearly equal blockhashes of all endpoints. Null if not confirmed. */
type Confirm = (
  endpoints: EndpointSet,
  said: RecentBlockhash,
  alike: readonly RecentBlockhash[],
) => Promise<RecentBlockhash | null>;

async function newestThat(endpoints: EndpointSet, confirm: Confirm): Promise<RecentBlockhash> {
  const alike = (one: RecentBlockhash, said: readonly RecentBlockhash[]) => said.filter((other) => isAlike(other, one));
  const isPlausible = (one: RecentBlockhash, said: readonly RecentBlockhash[]) =>
    alike(one, said).length >= endpoints.quorum;
  const isEnough = (said: readonly RecentBlockhash[]) => said.some((one) => isPlausible(one, said));
  const newestOf = async (enough?: typeof isEnough): Promise<RecentBlockhash | null> => {
    const wait = { graceMs: GRACE_MS, isDecided: isEnough, ...(enough && { isEnough: enough }) };
    const replies = await endpoints.quorumReplies(askBlockhash, wait);
    const said = answersOf(replies).toSorted((a, b) => b.lastValidBlockHeight - a.lastValidBlockHeight);
    if (endpoints.quorum === 1) return said[0]!;
    for (const one of said.filter((blockhash) => isPlausible(blockhash, said))) {
      const confirmed = await confirm(endpoints, one, alike(one, said));
      if (confirmed !== null) return confirmed;
    }
    return null;
  };
  const prompt = await newestOf(isEnough);
  if (prompt !== null) return prompt;
  // The first two may differ by a slot, or one may lie: ask all.
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

/** Takes the earliest slot: no transaction with this blockhash is older. */
async function ofThoseWhoTakeIt(
  endpoints: EndpointSet,
  said: RecentBlockhash,
  alike: readonly RecentBlockhash[],
): Promise<RecentBlockhash | null> {
  const options = { commitment: 'processed' };
  const isTakenBy = (answers: readonly { readonly value: boolean }[]) =>
    answers.filter(({ value }) => value).length >= endpoints.quorum;
  const replies = await endpoints.quorumReplies(
    (endpoint) => endpoint.call('isBlockhashValid', [said.blockhash, options], BlockhashValidShape),
    { graceMs: GRACE_MS, isDecided: isTakenBy, isEnough: isTakenBy },
  );
  return isTakenBy(answersOf(replies)) ? { ...said, slot: Math.min(...alike.map(({ slot }) => slot)) } : null;
}
