import { errorText } from '../../domain/error-text.ts';
import type { EndpointSet } from '../rpc/endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from '../rpc/json-rpc.ts';
import { addressesIn, greatestTax, type HeldMint, type WithheldIn, withheldOf } from './holder-answer.ts';
import { type HolderSource, plainHolders } from './holder-source.ts';
import { type HeldAmounts, readKnownAccounts } from './known-accounts.ts';

/** Which token's holders, and at which slot at the earliest. */
export interface HoldersQuestion extends HeldMint {
  readonly minContextSlot: number;
  /** Default `finalized`. */
  readonly commitment?: 'confirmed' | 'finalized';
  /** Also in which accounts tax lies withheld. */
  readonly withTax?: boolean;
  /**
   * Accounts of a taxed mint in which all of it may lie (base58, none twice): where an endpoint has the whole supply in them, it is not asked
   * to look through all accounts.
   */
  readonly accounts?: readonly string[];
  /** How all accounts of the token are asked for; default by one `getProgramAccounts`. */
  readonly source?: HolderSource;
  /** So many of the greatest holders that each endpoint names; default all. */
  readonly most?: number;
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
  /** Accounts (base58) of which a quorum says that something lies in them; null where they are too many to be kept in mind. */
  readonly held: readonly string[] | null;
}

type Testimony = Omit<HeldAmounts, 'held'> & Pick<AgreedHolders, 'held'>;

/**
 * The holders of a token, from every endpoint. Endpoints answer of slots that differ a little, and a coin is traded meanwhile, so they
 * need not say the same: a balance counts as far as a quorum says that it is at least as much. One endpoint alone makes nobody a
 * greater holder, and where there are three, nobody a smaller one. Each endpoint is asked for the accounts that are known, where there are
 * any, and for all accounts of the token where these have not the whole supply.
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
  { commitment = 'finalized', accounts = [], ...question }: HoldersQuestion,
): Promise<Testimony> {
  const query = { ...question, commitment };
  const said = (await readKnownAccounts(endpoint, { ...query, accounts })) ?? (await searchAccounts(endpoint, query));
  const { minContextSlot } = question;
  if (said.slot < minContextSlot)
    throw new RangeError(`${endpoint.name} answered slot ${said.slot}, older than ${minContextSlot}`);
  return said;
}

async function searchAccounts(
  endpoint: RpcEndpoint,
  question: Omit<HoldersQuestion, 'commitment' | 'accounts'> & { readonly commitment: 'confirmed' | 'finalized' },
): Promise<Testimony> {
  const { source = plainHolders, most, ...query } = question;
  const wish = most === undefined ? 'named' : { greatest: most, named: true };
  const { slot, names, amounts, held, ...tax } = await source.ask(endpoint, { ...query, wish });
  return {
    balances: new Map(addressesIn(names).map((owner, index) => [owner, amounts[index] ?? 0n])),
    slot,
    withheld: withheldOf(tax),
    held: held === null ? null : addressesIn(held),
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
  const held = agreedAccounts(
    said.flatMap((one) => (one.held === null ? [] : [one.held])),
    quorum,
  );
  return { balances, slot: Number(reachedBy(quorum, slots)), disputed, withheld, held };
}

/** Null where fewer than a quorum say. */
function agreedAccounts(said: readonly (readonly string[])[], quorum: number): readonly string[] | null {
  if (said.length < quorum) return null;
  const times = new Map<string, number>();
  for (const account of said.flat()) times.set(account, (times.get(account) ?? 0) + 1);
  return [...times].flatMap(([account, count]) => (count >= quorum ? [account] : []));
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
