import { errorText } from '../../domain/error-text.ts';
import { otherAccountsOf, type OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';
import type { EndpointSet } from '../rpc/endpoints.ts';
import { type RpcEndpoint, RpcUnavailableError } from '../rpc/json-rpc.ts';
import { addressesIn, greatestTax, type HeldMint, type WithheldIn, withheldOf } from './holder-answer.ts';
import { type HolderSource, plainHolders } from './holder-source.ts';
import { type HeldAmounts, readKnownAccounts } from './known-accounts.ts';
import type { OtherAccountsWanted } from './other-accounts.ts';

export interface HoldersQuestion extends HeldMint, OtherAccountsWanted {
  readonly minContextSlot: number;
  /** Default `finalized`. */
  readonly commitment?: 'confirmed' | 'finalized';
  readonly withTax?: boolean;
  /** Of a taxed mint (base58, unique). If they hold the whole supply, not all accounts are read. */
  readonly accounts?: readonly string[];
  /** Default: one `getProgramAccounts`. */
  readonly source?: HolderSource;
  /** Per endpoint; default all. */
  readonly most?: number;
}

export interface AgreedHolders {
  /** By owner (base58). */
  readonly balances: ReadonlyMap<string, bigint>;
  /** Reached by a quorum. */
  readonly slot: number;
  /**
   * Slot of each response, in order of the endpoints. A balance is the `quorum`-th largest of its balances at these
   * slots, so anyone can recompute it.
   */
  readonly slots: readonly number[];
  readonly quorum: number;
  /** Endpoints disagreed. */
  readonly disputed: number;
  /** Largest first, at a quorum's minimum. Empty unless requested. */
  readonly withheld: readonly WithheldIn[];
  /** base58; null if too many. */
  readonly held: readonly string[] | null;
  /** Empty unless requested. */
  readonly otherAccounts: OtherAccountsByOwner;
}

type Testimony = Omit<HeldAmounts, 'held'> & Pick<AgreedHolders, 'held'>;

/**
 * Endpoints answer for slightly different slots, so each balance is the largest minimum that a quorum confirms: one
 * endpoint cannot raise a holder, one of three cannot lower one. Known accounts first, all only if these lack supply.
 *
 * @throws RpcUnavailableError without a quorum
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
  const { slot, names, amounts, held, otherAccounts, ...tax } = await source.ask(endpoint, { ...query, wish });
  return {
    balances: new Map(addressesIn(names).map((owner, index) => [owner, amounts[index] ?? 0n])),
    slot,
    withheld: withheldOf(tax),
    held: held === null ? null : addressesIn(held),
    otherAccounts,
  };
}

function agreement(said: readonly Testimony[], quorum: number): AgreedHolders {
  const [only, ...others] = said;
  if (only && others.length === 0) return { ...only, slots: [only.slot], quorum, disputed: 0 };
  const balances = new Map<string, bigint>();
  let disputed = 0;
  for (const owner of new Set(said.flatMap((one) => [...one.balances.keys()]))) {
    const amounts = said.map((one) => one.balances.get(owner) ?? 0n);
    const confirmed = reachedBy(quorum, amounts);
    if (confirmed > 0n) balances.set(owner, confirmed);
    if (amounts.some((amount) => amount !== confirmed)) disputed += 1;
  }
  const slots = said.map(({ slot }) => slot);
  const withheld = agreedTax(
    said.map((one) => one.withheld),
    quorum,
  );
  const held = agreedAccounts(
    said.flatMap((one) => (one.held === null ? [] : [one.held])),
    quorum,
  );
  const slot = Number(reachedBy(quorum, slots.map(BigInt)));
  const otherAccounts = agreedOtherAccounts(
    said.map((one) => one.otherAccounts),
    quorum,
  );
  return { balances, slot, slots, quorum, disputed, withheld, held, otherAccounts };
}

/**
 * Accounts that a quorum names as the owner's. A liar alone cannot name an account of another owner, and cannot hide one
 * from two others. One of two can hide an account as it can lower a balance, and an account may be emptied between the
 * slots of two responses. It is then missing from this observation: unless another one has it, a verifier finds less
 * than the row has, which is not provable. A row with too many accounts would be false, but sum no more: verifiers count
 * an account only while it was its owner's.
 */
function agreedOtherAccounts(said: readonly OtherAccountsByOwner[], quorum: number): OtherAccountsByOwner {
  const owners = new Set(said.flatMap((one) => [...one.keys()]));
  const agreed = new Map<string, ReturnType<typeof otherAccountsOf>>();
  for (const owner of owners) {
    const named = said.flatMap((one) => one.get(owner) ?? []);
    const counts = Map.groupBy(named, (account) => account);
    const confirmed = [...counts].flatMap(([account, { length }]) => (length >= quorum ? [account] : []));
    if (confirmed.length > 0) agreed.set(owner, otherAccountsOf(confirmed));
  }
  return agreed;
}

/** Null without a quorum. */
function agreedAccounts(said: readonly (readonly string[])[], quorum: number): readonly string[] | null {
  if (said.length < quorum) return null;
  const times = new Map<string, number>();
  for (const account of said.flat()) times.set(account, (times.get(account) ?? 0) + 1);
  return [...times].flatMap(([account, count]) => (count >= quorum ? [account] : []));
}

/** The withdrawal pays a fee for every account. */
function agreedTax(said: readonly (readonly WithheldIn[])[], quorum: number): readonly WithheldIn[] {
  const taxes = said.map((withheld) => new Map(withheld.map(({ account, raw }) => [account, raw])));
  const accounts = new Set(taxes.flatMap((one) => [...one.keys()]));
  const confirmed = Array.from(accounts, (account) => {
    const raw = reachedBy(
      quorum,
      taxes.map((one) => one.get(account) ?? 0n),
    );
    return { account, raw };
  });
  return greatestTax(confirmed.filter(({ raw }) => raw > 0n));
}

/** Largest number that `quorum` of them reach. */
function reachedBy(quorum: number, numbers: readonly bigint[]): bigint {
  return numbers.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1))[quorum - 1] ?? 0n;
}
