import { toBase64 } from '../solana/bytes.ts';
import { rpcCall, type RpcCallOptions } from '../solana/rpc-call.ts';
import type { AccountState, FirstBlock, History, Listed, Range } from './chain.ts';
import { Difference, NotProvable } from './check.ts';
import type { ExpiryChain } from './receipt/receipt-checks.ts';
import { type Landed, readLanded } from './landed.ts';
import {
  accountsOf,
  blockOf,
  isValidOf,
  linkedBlockOf,
  listedOf,
  RefusedError,
  ShapeError,
  slotsOf,
  text,
  transactionOf,
  whole,
} from './rpc-values.ts';

export interface RpcChainOptions extends Omit<RpcCallOptions, 'signal'> {
  /** Each gets every call. Inclusion and balances cannot be compared if there is only one. */
  readonly urls: readonly string[];
}

const [PAGE, ACCOUNTS_AT_ONCE] = [1_000, 100];

/** Reads at `finalized`; histories up to the slot that all endpoints had at the first call. */
export function createRpcChain(options: RpcChainOptions): ExpiryChain {
  const rpc = createComparer(options);
  let newest: Promise<number> | null = null;
  const asOf = () => (newest ??= rpc.each('getSlot', [FINALIZED], (slot) => whole(slot, 'slot')).then(least));
  return {
    name: rpc.name,
    get calls() {
      return rpc.calls;
    },
    head: asOf,
    genesisHash: () => rpc.agreed('getGenesisHash', [], (hash) => text(hash, 'the genesis hash')),
    async transaction(signature, commitment = 'finalized') {
      const config = { commitment, encoding: 'base64', maxSupportedTransactionVersion: 0 };
      const facts = await rpc.agreed('getTransaction', [signature, config], transactionOf);
      return facts && readable(signature, () => readLanded(signature, facts, rpc.name));
    },
    async history(address, range) {
      const last = await asOf();
      const method = 'getSignaturesForAddress';
      const read = await rpc.askEach(method, (ask) => historyOf(ask, address, { ...range, last }));
      const isWhole = read.every((one) => one.isWhole);
      // Those that are cut off end at different entries: an endpoint that is ahead has more before them.
      const common = Math.min(...read.map((one) => (one.isWhole ? Infinity : one.entries.length)));
      const entries = rpc.same(
        method,
        read.map((one) => one.entries.slice(0, common)),
      );
      return { entries, isWhole };
    },
    async accounts(addresses) {
      const found = [];
      for (let at = 0; at < addresses.length; at += ACCOUNTS_AT_ONCE)
        found.push(...(await accountsNow(rpc, addresses.slice(at, at + ACCOUNTS_AT_ONCE))));
      return found;
    },
    async expiry(blockhash) {
      const heights = await rpc.each('getBlockHeight', [FINALIZED], (height) => whole(height, 'the block height'));
      const config = { commitment: 'processed' };
      const valid = await rpc.each('isBlockhashValid', [blockhash, config], isValidOf);
      return { height: least(heights), isValid: valid.includes(true) };
    },
    block(slot) {
      const config = { ...FINALIZED, transactionDetails: 'signatures', rewards: false };
      return rpc.agreed('getBlock', [slot, { ...config, maxSupportedTransactionVersion: 0 }], blockOf);
    },
    async firstBlock(slot) {
      const what = `the first block from slot ${slot} on`;
      return rpc.same(what, await rpc.askEach(what, (ask) => firstBlockOf(ask, slot)));
    },
  };
}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

interface KnownRange extends Range {
  /** Newer entries are left out: another endpoint cannot have them yet. */
  readonly last: number;
}

/** Pages without an entry that counts. Strangers can name an address after the first call, and pay for that. */
const MOST_YOUNG_PAGES = 100;

async function historyOf(ask: Ask, address: string, { before, until, most, last }: KnownRange): Promise<History> {
  const entries: Listed[] = [];
  for (let [from, young] = [before, 0]; ;) {
    const config = { ...FINALIZED, limit: PAGE, ...(from && { before: from }), ...(until && { until }) };
    const page = listedOf(await ask('getSignaturesForAddress', [address, config]));
    entries.push(...page.filter(({ slot }) => slot <= last));
    if (page.length < PAGE) return { entries, isWhole: true };
    if (entries.length === 0) young += 1;
    if (entries.length >= most || young > MOST_YOUNG_PAGES) return { entries, isWhole: false };
    from = page.at(-1)?.signature;
  }
}

/** The parent's slot proves that there is no block between, even if the endpoint lacks some. */
async function firstBlockOf(ask: Ask, from: number): Promise<FirstBlock> {
  const config = { ...FINALIZED, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 };
  const blockAt = async (slot: number) => ({ slot, ...linkedBlockOf(await ask('getBlock', [slot, config])) });
  const own = await blockAt(from).catch((error: unknown) => {
    if (error instanceof RefusedError) return null;
    throw error;
  });
  if (own) return checkedFirst(own, from);
  const [next] = slotsOf(await ask('getBlocksWithLimit', [from, 1, FINALIZED]));
  if (next === undefined || next < from) throw new ShapeError(`it has no block from slot ${from} on`);
  return checkedFirst(await blockAt(next), from);
}

function checkedFirst({ slot, blockhash, parentSlot }: FirstBlock & { readonly parentSlot: number }, from: number) {
  if (parentSlot < from) return { slot, blockhash };
  throw new ShapeError(`it lacks blocks between slots ${from} and ${slot}`);
}

function readable(signature: string, read: () => Landed): Landed {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new NotProvable(`the transaction ${signature} cannot be read: ${cause.message}`, cause);
  }
}

/** Tries before two endpoints are said to differ: one may be a block behind. */
const TRIES = 5;

async function accountsNow(rpc: Comparer, addresses: readonly string[]): Promise<(AccountState | null)[]> {
  const params = [addresses, { ...FINALIZED, encoding: 'base64' }];
  for (let tries = 1; ; tries++) {
    try {
      return await rpc.agreed('getMultipleAccounts', params, accountsOf);
    } catch (error) {
      if (!(error instanceof Difference) || tries === TRIES) throw error;
    }
  }
}

const FINALIZED = { commitment: 'finalized' };

function least(slots: readonly number[]): number {
  return Math.min(...slots);
}

type Comparer = ReturnType<typeof createComparer>;

function createComparer({ urls, ...options }: RpcChainOptions) {
  const hosts = urls.map((url) => new URL(url).host);
  if (urls.length === 0) throw new RangeError('there is no RPC endpoint to ask');
  let calls = 0;
  const call = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    calls += 1;
    const { result, error } = await rpcCall(url, method, params, options);
    if (result !== undefined) return result;
    throw new RefusedError(error);
  };
  const askEach = <T>(what: string, read: (ask: Ask) => Promise<T>): Promise<T[]> =>
    Promise.all(
      urls.map(async (url, index) => {
        try {
          return await read((method, params) => call(url, method, params));
        } catch (cause) {
          if (!(cause instanceof Error)) throw cause;
          throw new NotProvable(`${hosts[index]} gave no usable response to ${what}: ${cause.message}`, cause);
        }
      }),
    );
  const each = <T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<T[]> =>
    askEach(method, async (ask) => read(await ask(method, params)));
  const same = <T>(method: string, values: readonly T[]): T => {
    const [first, ...others] = values;
    if (first === undefined) throw new RangeError('there is no RPC endpoint to ask');
    const texts = values.map(comparable);
    const at = others.findIndex((_, index) => texts[index + 1] !== texts[0]);
    if (at < 0) return first;
    const found = (index: number) => ({ value: texts[index] ?? '', from: hosts[index] ?? '' });
    throw new Difference(`two endpoints differ about ${method}`, found(0), found(at + 1));
  };
  return {
    name: hosts.join(' and '),
    get calls() {
      return calls;
    },
    each,
    askEach,
    same,
    agreed: async <T>(method: string, params: readonly unknown[], read: (result: unknown) => T): Promise<T> =>
      same(method, await each(method, params, read)),
  };
}

/** Returns one text for one value. */
function comparable(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof Uint8Array) return toBase64(one);
    return typeof one === 'bigint' ? String(one) : one;
  });
}
