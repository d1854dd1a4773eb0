import { isDeepStrictEqual } from 'node:util';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { batchesOf } from '../../domain/batches.ts';
import { answersOf, type EndpointSet, saidByQuorum } from './endpoints.ts';
import { isNear, reachedBy } from './head.ts';
import { type RpcEndpoint, RpcUnavailableError } from './json-rpc.ts';

/** An account as a quorum of endpoints has it. */
export interface AgreedAccount {
  readonly lamports: bigint;
  /** Program that it belongs to, base58. */
  readonly owner: string;
  readonly data: Buffer;
}

/** `getMultipleAccounts` takes at most this many. */
const ACCOUNTS_PER_CALL = 100;

/** How long endpoints are waited for once one has answered, in ms. */
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
 * The finalized accounts at these addresses (base58), each as a quorum of endpoints has it; null where a quorum says that there
 * is none. An address of which no quorum says the same is left out. One call to each endpoint for each hundred addresses.
 * @throws RpcUnavailableError when no endpoint answered.
 */
export async function agreedAccounts(
  endpoints: EndpointSet,
  addresses: readonly string[],
): Promise<Map<string, AgreedAccount | null>> {
  const agreed = new Map<string, AgreedAccount | null>();
  for (const [address, replies] of await saidOf(endpoints, addresses, 'finalized')) {
    const accounts = replies.map(({ account }) => account);
    const one = saidByQuorum(endpoints, accounts, isSameAccount);
    if (one !== undefined) agreed.set(address, one && decoded(one));
  }
  return agreed;
}

/** What one endpoint has, and how far a quorum has come. */
export interface FinalizedReading {
  /** The newest slot that is final by a quorum's word. */
  readonly agreedSlot: number;
  /** The finalized slot at which the accounts were read. */
  readonly slot: number;
  readonly accounts: readonly (AccountInfo<Buffer> | null)[];
}

/**
 * Up to 100 finalized accounts (base58) in the order asked for, as the first of the endpoints that are near a quorum has them, and what
 * slot `agreedHead` would say: one call to each endpoint for both.
 * @throws RpcUnavailableError when no quorum answers, or none that is near one another.
 */
export async function finalizedReading(
  endpoints: EndpointSet,
  addresses: readonly string[],
): Promise<FinalizedReading> {
  const replies = await endpoints.promptReplies(
    (endpoint) => pageOf(endpoint, addresses, { commitment: 'finalized' }),
    GRACE_MS,
  );
  const slots = answersOf(replies).map(({ slot }) => slot);
  const agreedSlot = reachedBy(endpoints, 'slot', slots);
  const near = replies.flatMap((reply) => (reply.ok && isNear(reply.value.slot, agreedSlot) ? [reply] : []));
  const [first] = endpoints.all.flatMap((one) => near.find(({ endpoint }) => endpoint === one)?.value ?? []);
  if (!first) throw new RpcUnavailableError(`no RPC endpoint is near slot ${agreedSlot}`);
  return { agreedSlot, slot: first.slot, accounts: first.accounts.map(infoOf) };
}

/** What each endpoint has of accounts that change while they are asked for: they need not say the same to agree on a reason. */
export interface AccountTestimonies {
  /** The first of the reasons that a quorum of endpoints gives by what each has at an address (base58); null where fewer give one. What `reasonOf` throws at is no reason. */
  agreedReason<T>(address: string, reasonOf: (account: AccountInfo<Buffer> | null) => T | null): T | null;
  /**
   * What a quorum of endpoints makes of an address (base58), the same of plain values; undefined where no quorum does. What `readingOf`
   * throws at is no reading.
   */
  agreed<T>(address: string, readingOf: (account: AccountInfo<Buffer> | null) => T): T | undefined;
  /** The same with the slot that a quorum of those who say it have reached. */
  agreedAt<T>(
    address: string,
    readingOf: (account: AccountInfo<Buffer> | null) => T,
  ): { readonly value: T; readonly slot: number } | undefined;
  /** Whether any endpoint has what `isSo` says at an address (base58): that nothing is there needs a quorum, which has answered. */
  anyShows(address: string, isSo: (account: AccountInfo<Buffer> | null) => boolean): boolean;
  /** The least figure of which a quorum of endpoints sees no more at an address (base58): what is too little by it is so by more than one's word. */
  mostSeen(address: string, amountOf: (account: AccountInfo<Buffer> | null) => bigint): bigint;
}

/**
 * The accounts at these addresses as each endpoint has them, finalized unless told otherwise. One call to each endpoint for each hundred addresses.
 * @throws RpcUnavailableError when fewer than a quorum answered.
 */
export async function accountTestimonies(
  endpoints: EndpointSet,
  addresses: readonly string[],
  commitment: 'confirmed' | 'finalized' = 'finalized',
): Promise<AccountTestimonies> {
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
  const agreedAt: AccountTestimonies['agreedAt'] = (address, readingOf) => {
    const readings = readable(at(address), (account, slot) => ({ value: readingOf(account), slot }));
    const agreed = saidByQuorum(endpoints, readings, (a, b) => isDeepStrictEqual(a.value, b.value));
    if (agreed === undefined) return undefined;
    const alike = readings.filter(({ value }) => isDeepStrictEqual(value, agreed.value));
    const slots = alike.map(({ slot }) => slot).toSorted((a, b) => b - a);
    return { value: agreed.value, slot: slots[endpoints.quorum - 1]! };
  };
  return {
    agreedReason(address, reasonOf) {
      const reasons = readable(at(address), reasonOf).filter((reason) => reason !== null);
      return reasons.length >= endpoints.quorum ? (reasons[0] ?? null) : null;
    },
    agreed: (address, readingOf) => agreedAt(address, readingOf)?.value,
    agreedAt,
    anyShows: (address, isSo) => readable(at(address), isSo).includes(true),
    mostSeen(address, amountOf) {
      const seen = readable(at(address), amountOf).toSorted((a, b) => Number(a - b));
      const most = seen[endpoints.quorum - 1];
      if (most !== undefined) return most;
      throw new RpcUnavailableError(
        `${seen.length} of ${endpoints.quorum} RPC endpoints say how much is at ${address}`,
      );
    },
  };
}

/** An account as one endpoint has it at a slot. */
interface Sight {
  readonly account: AccountInfo<Buffer> | null;
  readonly slot: number;
}

/** What is made of each of these accounts, but for those of which nothing can be: an endpoint may say anything. */
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

/** What one endpoint has at an address. */
export interface Said {
  readonly endpoint: RpcEndpoint;
  readonly account: Account | null;
  readonly slot: number;
}

/** What the endpoints that answered in time say of each address. @throws RpcUnavailableError when none did. */
export async function saidOf(
  endpoints: EndpointSet,
  addresses: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<Map<string, readonly Said[]>> {
  const said = new Map<string, readonly Said[]>();
  for (const page of batchesOf([...new Set(addresses)], ACCOUNTS_PER_CALL)) {
    const ask = async (endpoint: RpcEndpoint) => ({ endpoint, ...(await pageOf(endpoint, page, { commitment })) });
    const replies = answersOf(await endpoints.promptReplies(ask, GRACE_MS));
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

/** Up to 100 accounts (base58) as one endpoint has them, null where there is none, and the slot of its answer. */
export async function accountsAt(
  endpoint: RpcEndpoint,
  addresses: readonly string[],
  reach: Reach,
): Promise<{ readonly accounts: readonly (AccountInfo<Buffer> | null)[]; readonly slot: number }> {
  const { accounts, slot } = await pageOf(endpoint, addresses, reach);
  return { accounts: accounts.map(infoOf), slot };
}

/** How far an endpoint must have come that is asked. */
interface Reach {
  readonly commitment: 'confirmed' | 'finalized';
  /** It must have reached this slot at the commitment, or it answers an error. */
  readonly minContextSlot?: number;
}

async function pageOf(
  endpoint: RpcEndpoint,
  page: readonly string[],
  reach: Reach,
): Promise<{ readonly accounts: readonly (Account | null)[]; readonly slot: number }> {
  const options = { ...reach, encoding: 'base64' };
  const { value, context } = await endpoint.call('getMultipleAccounts', [page, options], OwnedAccountsShape);
  if (value.length !== page.length || !value.every(hasOwner)) {
    throw new RpcUnavailableError(`${endpoint.name} answered no ${page.length} accounts`);
  }
  return { accounts: value, slot: context.slot };
}

/** An endpoint whose answer cannot be read says nothing, and keeps nobody from believing the others. */
function hasOwner(account: Account | null): boolean {
  return account === null || PUBLIC_KEY.test(account.owner);
}

/** 32 bytes have 32 to 44 letters. */
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
