import { isDeepStrictEqual } from 'node:util';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type EndpointSet, agreedByQuorum } from './endpoints.ts';
import { isNear, isReached, reachedBy } from './head.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

export interface AgreedAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Buffer;
}

/** Limit of `getMultipleAccounts`. */
const ACCOUNTS_PER_CALL = 100;

const GRACE_MS = 2_000;

const AccountSchema = Type.Object({
  lamports: Type.Union([Type.Integer({ minimum: 0 }), Type.BigInt()]),
  owner: Type.String(),
  data: Type.Tuple([Type.String(), Type.Literal('base64')]),
  executable: Type.Optional(Type.Boolean()),
});
type Account = Type.Static<typeof AccountSchema>;

const OwnedAccountsShape = Compile(
  Type.Object({
    context: Type.Object({ slot: Type.Integer({ minimum: 0 }) }),
    value: Type.Array(Type.Union([Type.Null(), AccountSchema])),
  }),
);

/**
 * Finalized accounts by address (base58); null if a quorum has none there. Omits addresses without agreement.
 *
 * @throws RpcUnavailableError when no endpoint responded
 */
export async function agreedAccounts(
  endpoints: EndpointSet,
  addresses: readonly string[],
): Promise<Map<string, AgreedAccount | null>> {
  const agreed = new Map<string, AgreedAccount | null>();
  for (const [address, replies] of await saidOf(endpoints, addresses, 'finalized')) {
    const accounts = replies.map(({ account }) => account);
    const one = agreedByQuorum(endpoints, accounts, isSameAccount);
    if (one !== undefined) agreed.set(address, one && decoded(one));
  }
  return agreed;
}

export interface FinalizedReading {
  /** Finalized by a quorum. */
  readonly agreedSlot: number;
  /** Slot of the read accounts. */
  readonly slot: number;
  readonly accounts: readonly (AccountInfo<Buffer> | null)[];
}

/**
 * Reads up to 100 finalized accounts (base58), in order, from the first endpoint near a quorum. One call per endpoint.
 *
 * @throws RpcUnavailableError when no quorum responds, or none near each other
 */
export async function finalizedReading(
  endpoints: EndpointSet,
  addresses: readonly string[],
): Promise<FinalizedReading> {
  const replies = await endpoints.quorumReplies(
    (endpoint) => pageOf(endpoint, addresses, { commitment: 'finalized' }),
    {
      graceMs: GRACE_MS,
      isDecided: (pages) =>
        isReached(
          endpoints,
          pages.map(({ slot }) => slot),
        ),
    },
  );
  const slots = answersOf(replies).map(({ slot }) => slot);
  const agreedSlot = reachedBy(endpoints, 'slot', slots);
  const near = replies.flatMap((reply) => (reply.ok && isNear(reply.value.slot, agreedSlot) ? [reply] : []));
  const [first] = endpoints.all.flatMap((one) => near.find(({ endpoint }) => endpoint === one)?.value ?? []);
  if (!first) throw new RpcUnavailableError(`no RPC endpoint is near slot ${agreedSlot}`);
  return { agreedSlot, slot: first.slot, accounts: first.accounts.map(infoOf) };
}

/**
 * Each endpoint's view of accounts that may change during the reads: different views can support the same conclusion.
 */
export interface AccountsByEndpoint {
  /** Newest slot that a quorum had reached. */
  readonly slot: number;
  /**
   * A reason where a quorum gives one for an address (base58), or null. They may differ: it is the one that most give.
   * A value that decides is `agreed`. An endpoint for which `reasonOf` throws gives none.
   */
  agreedReason<T>(address: string, reasonOf: (account: AccountInfo<Buffer> | null) => T | null): T | null;
  /**
   * The value that a quorum yields for an address (base58), or undefined. An endpoint for which `readingOf` throws does
   * not count.
   */
  agreed<T>(address: string, readingOf: (account: AccountInfo<Buffer> | null) => T): T | undefined;
  /** Like `agreed`, plus the newest slot that a quorum of the agreeing endpoints has reached. */
  agreedAt<T>(
    address: string,
    readingOf: (account: AccountInfo<Buffer> | null) => T,
  ): { readonly value: T; readonly slot: number } | undefined;
  /** True if `isSo` holds at any endpoint. False is reliable, since a quorum responded. */
  anyShows(address: string, isSo: (account: AccountInfo<Buffer> | null) => boolean): boolean;
  /** The smallest upper bound of an amount that a quorum confirms: shows that something is missing. */
  mostSeen<T extends bigint>(address: string, amountOf: (account: AccountInfo<Buffer> | null) => T): T;
  /** The largest lower bound of an amount that a quorum confirms: shows that something may be spent. */
  leastSeen<T extends bigint>(address: string, amountOf: (account: AccountInfo<Buffer> | null) => T): T;
}

/**
 * Reads accounts; default `finalized`. One call per endpoint and hundred addresses.
 *
 * @throws RpcUnavailableError when fewer than a quorum responded
 */
export async function accountsByEndpoint(
  endpoints: EndpointSet,
  addresses: readonly string[],
  commitment: 'confirmed' | 'finalized' = 'finalized',
): Promise<AccountsByEndpoint> {
  const said = new Map<string, readonly Sight[]>();
  for (const [address, replies] of await saidOf(endpoints, addresses, commitment)) {
    if (replies.length < endpoints.quorum)
      throw new RpcUnavailableError(`${replies.length} of ${endpoints.quorum} RPC endpoints say what is at ${address}`);
    said.set(
      address,
      replies.map(({ account, slot }) => ({ account: infoOf(account), slot })),
    );
  }
  const at = (address: string) => {
    const sights = said.get(address);
    if (!sights) throw new RangeError(`${address} was not asked for`);
    return sights;
  };
  const agreedAt: AccountsByEndpoint['agreedAt'] = (address, readingOf) => {
    const readings = readable(at(address), (account, slot) => ({ value: readingOf(account), slot }));
    const agreed = agreedByQuorum(endpoints, readings, (a, b) => isDeepStrictEqual(a.value, b.value));
    if (agreed === undefined) return undefined;
    const alike = readings.filter(({ value }) => isDeepStrictEqual(value, agreed.value));
    const slots = alike.map(({ slot }) => slot).toSorted((a, b) => b - a);
    return { value: agreed.value, slot: slots[endpoints.quorum - 1]! };
  };
  const newest = [...said.values()].map((sights) => sights.map(({ slot }) => slot).toSorted((a, b) => b - a));
  return {
    slot: Math.min(...newest.map((slots) => slots[endpoints.quorum - 1]!)),
    agreedReason(address, reasonOf) {
      const reasons = readable(at(address), reasonOf).filter((reason) => reason !== null);
      return reasons.length >= endpoints.quorum ? (mostGiven(reasons) ?? null) : null;
    },
    agreed: (address, readingOf) => agreedAt(address, readingOf)?.value,
    agreedAt,
    anyShows: (address, isSo) => readable(at(address), isSo).includes(true),
    mostSeen: (address, amountOf) => upperBound(endpoints, address, readable(at(address), amountOf)),
    leastSeen: (address, amountOf) => lowerBound(endpoints, address, readable(at(address), amountOf)),
  };
}

type Quorum = Pick<EndpointSet, 'quorum'>;

/**
 * Returns the smallest amount that a quorum says is not exceeded at the address.
 *
 * @throws RpcUnavailableError when fewer responded
 */
export function upperBound<T extends bigint>(quorum: Quorum, address: string, said: readonly T[]): T {
  return boundOf(quorum, address, said.toSorted(byAmount));
}

/**
 * Returns the largest amount that a quorum says is there at least.
 *
 * @throws RpcUnavailableError when fewer responded
 */
export function lowerBound<T extends bigint>(quorum: Quorum, address: string, said: readonly T[]): T {
  return boundOf(quorum, address, said.toSorted(byAmount).toReversed());
}

function boundOf<T extends bigint>({ quorum }: Quorum, address: string, sorted: readonly T[]): T {
  const bound = sorted[quorum - 1];
  if (bound !== undefined) return bound;
  throw new RpcUnavailableError(`${sorted.length} of ${quorum} RPC endpoints say how much is at ${address}`);
}

function byAmount(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the most frequent value, compared as plain values; of equally many the first. */
function mostGiven<T>(values: readonly T[]): T | undefined {
  const timesOf = (value: T) => values.filter((other) => isDeepStrictEqual(other, value)).length;
  return values.toSorted((a, b) => timesOf(b) - timesOf(a))[0];
}

interface Sight {
  readonly account: AccountInfo<Buffer> | null;
  readonly slot: number;
}

/** Drops views for which `readingOf` throws: an endpoint may return anything. */
function readable<T>(
  sights: readonly Sight[],
  readingOf: (account: AccountInfo<Buffer> | null, slot: number) => T,
): T[] {
  return sights.flatMap(({ account, slot }) => {
    try {
      return [readingOf(account, slot)];
    } catch {
      return [];
    }
  });
}

export interface Said {
  readonly endpoint: RpcEndpoint;
  readonly account: Account | null;
  readonly slot: number;
}

/** @throws RpcUnavailableError when no endpoint responded in time */
export async function saidOf(
  endpoints: EndpointSet,
  addresses: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<Map<string, readonly Said[]>> {
  const said = new Map<string, readonly Said[]>();
  for (const page of batchesOf([...new Set(addresses)], ACCOUNTS_PER_CALL)) {
    const ask = async (endpoint: RpcEndpoint) => ({ endpoint, ...(await pageOf(endpoint, page, { commitment })) });
    const isAgreed = (pages: readonly { readonly accounts: readonly (Account | null)[] }[], index: number) => {
      const accounts = pages.map((one) => one.accounts[index] ?? null);
      return agreedByQuorum(endpoints, accounts, isSameAccount) !== undefined;
    };
    const replies = answersOf(
      await endpoints.quorumReplies(ask, {
        graceMs: GRACE_MS,
        isDecided: (pages) => page.every((_, index) => isAgreed(pages, index)),
      }),
    );
    page.forEach((address, index) => {
      said.set(
        address,
        replies.map(({ endpoint, accounts, slot }) => ({ endpoint, account: accounts[index] ?? null, slot })),
      );
    });
  }
  return said;
}

function infoOf(account: Account | null): AccountInfo<Buffer> | null {
  if (account === null) return null;
  const { lamports, owner, data } = decoded(account);
  return { lamports: Number(lamports), owner: new PublicKey(owner), data, executable: account.executable ?? false };
}

/** Reads up to 100 accounts (base58), null where absent, and the response's slot. */
export async function accountsAt(
  endpoint: RpcEndpoint,
  addresses: readonly string[],
  from: ReadFrom,
): Promise<{ readonly accounts: readonly (AccountInfo<Buffer> | null)[]; readonly slot: number }> {
  const { accounts, slot } = await pageOf(endpoint, addresses, from);
  return { accounts: accounts.map(infoOf), slot };
}

interface ReadFrom {
  readonly commitment: 'confirmed' | 'finalized';
  /** An endpoint behind this slot returns an error. */
  readonly minContextSlot?: number;
}

async function pageOf(
  endpoint: RpcEndpoint,
  page: readonly string[],
  from: ReadFrom,
): Promise<{ readonly accounts: readonly (Account | null)[]; readonly slot: number }> {
  const options = { ...from, encoding: 'base64' };
  const { value, context } = await endpoint.call('getMultipleAccounts', [page, options], OwnedAccountsShape);
  if (value.length !== page.length || !value.every(hasOwner)) {
    throw new RpcUnavailableError(`${endpoint.name} answered no ${page.length} accounts`);
  }
  return { accounts: value, slot: context.slot };
}

/** A malformed response must not block the other endpoints. */
function hasOwner(account: Account | null): boolean {
  return account === null || PUBLIC_KEY.test(account.owner);
}

const PUBLIC_KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

function isSameAccount(one: Account | null, other: Account | null): boolean {
  return factsOf(one) === factsOf(other);
}

function factsOf(account: Account | null): string {
  return account === null ? '' : [account.lamports, account.owner, account.data[0]].join();
}

function decoded({ lamports, owner, data }: Account): AgreedAccount {
  return { lamports: BigInt(lamports), owner, data: Buffer.from(data[0], 'base64') };
}
