import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from '../rpc/endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from '../rpc/json-rpc.ts';
import { greatestTax, type WithheldIn, withheldOf } from './holder-answer.ts';
import { askHolders, type HeldMint } from './holders.ts';

/** Which token's holders, and at which slot at the earliest. */
export interface HoldersQuestion extends HeldMint {
  readonly minContextSlot: number;
  /** Default `finalized`. */
  readonly commitment?: 'confirmed' | 'finalized';
  /** Also in which accounts tax lies withheld. */
  readonly withTax?: boolean;
}

/** What owners hold of a token, as far as a quorum of endpoints bears it out. */
export interface AgreedHolders {
  /** Raw units above zero, by owner (base58). */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Slot that a quorum had reached at the commitment. */
  readonly slot: number;
  /** Owners of whom not all endpoints said the same. */
  readonly disputed: number;
  /** Accounts in which tax lies withheld, as much as a quorum says at least, the greatest first; none unless it was asked for. */
  readonly withheld: readonly WithheldIn[];
}

type Testimony = Pick<AgreedHolders, 'balances' | 'slot' | 'withheld'>;

/**
 * The holders of a token, from every endpoint. Endpoints answer of slots that differ a little, and a coin is traded meanwhile, so they
 * need not say the same: a balance counts as far as a quorum says that it is at least as much. One endpoint alone makes nobody a
 * greater holder, and where there are three, nobody a smaller one.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function agreedHolders(endpoints: EndpointSet, question: HoldersQuestion): Promise<AgreedHolders> {
  const replies = await endpoints.everyReply((endpoint) => testimonyOf(endpoint, question));
  const said = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
  if (said.length < endpoints.quorum) {
    const reasons = replies.flatMap((reply) => (reply.ok ? [] : [errorText(reply.error)]));
    const { mint, minContextSlot } = question;
    const who = `${said.length} of ${endpoints.quorum} RPC endpoints`;
    throw new RpcUnavailableError(
      `${who} say who holds ${mint.toBase58()} at slot ${minContextSlot}: ${reasons.join('; ')}`,
    );
  }
  return agreement(said, endpoints.quorum);
}

async function testimonyOf(
  endpoint: RpcEndpoint,
  { minContextSlot, commitment = 'finalized', ...question }: HoldersQuestion,
): Promise<Testimony> {
  const query = { ...question, minContextSlot, commitment, wish: 'named' } as const;
  const { slot, names, amounts, ...tax } = await askHolders(endpoint, query);
  if (slot < minContextSlot)
    throw new RangeError(`${endpoint.name} answered slot ${slot}, older than ${minContextSlot}`);
  const owners = names === '' ? [] : names.split(' ');
  return {
    balances: new Map(owners.map((owner, index) => [owner, amounts[index] ?? 0n])),
    slot,
    withheld: withheldOf(tax),
  };
}

function agreement(said: readonly Testimony[], quorum: number): AgreedHolders {
  const [only, ...others] = said;
  if (only && others.length === 0) return { ...only, disputed: 0 };
  const balances = new Map<string, bigint>();
  let disputed = 0;
  for (const owner of new Set(said.flatMap((one) => [...one.balances.keys()]))) {
    const amounts = said.map((one) => one.balances.get(owner) ?? 0n);
    const borneOut = reachedBy(quorum, amounts);
    if (borneOut > 0n) balances.set(owner, borneOut);
    if (amounts.some((amount) => amount !== borneOut)) disputed += 1;
  }
  const slots = said.map(({ slot }) => BigInt(slot));
  const withheld = agreedTax(
    said.map((one) => one.withheld),
    quorum,
  );
  return { balances, slot: Number(reachedBy(quorum, slots)), disputed, withheld };
}

/** What endpoints name alone is none: whoever withdraws it pays for every account. */
function agreedTax(said: readonly (readonly WithheldIn[])[], quorum: number): readonly WithheldIn[] {
  const taxes = said.map((withheld) => new Map(withheld.map(({ account, raw }) => [account, raw])));
  const accounts = new Set(taxes.flatMap((one) => [...one.keys()]));
  const borneOut = Array.from(accounts, (account) => {
    const raw = reachedBy(
      quorum,
      taxes.map((one) => one.get(account) ?? 0n),
    );
    return { account, raw };
  });
  return greatestTax(borneOut.filter(({ raw }) => raw > 0n));
}

/** The greatest number that so many of these reach. */
function reachedBy(quorum: number, numbers: readonly bigint[]): bigint {
  return numbers.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1))[quorum - 1] ?? 0n;
}

/** The owners of balances, greatest balance first; equal ones by address. */
export function ranked(balances: AgreedHolders['balances']): string[] {
  return [...balances].sort(byBalance).map(([owner]) => owner);
}

/** Base58 has its digits in the order of ASCII: of two numbers the shorter is less, as a rule. */
function byBalance([a, rawA]: readonly [string, bigint], [b, rawB]: readonly [string, bigint]): number {
  if (rawA !== rawB) return rawA > rawB ? -1 : 1;
  return a.length - b.length || (a < b ? -1 : 1);
}
