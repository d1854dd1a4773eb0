/** Fees that locked positions paid, as the chain has them. It imports nothing, so that the folder can be copied. */

/** Amount of one quote token that one transaction collected. */
export interface Collected {
  readonly signature: string;
  readonly mint: string;
  /** Raw units, after a transfer tax of the token. */
  readonly amount: bigint;
  /** `treasury`: revenue; `others`: creators and holders of reward coins. */
  readonly to: 'treasury' | 'others';
}

/** An instruction: its program, and its data in base58. */
export interface Call {
  readonly program: string;
  readonly data: string;
}

export interface Sources {
  /** GET of the platform's public API, path and query. Returns `data`. */
  readonly api: (path: string) => Promise<unknown>;
  /** Returns `result`. */
  readonly rpc: (method: string, params: readonly unknown[]) => Promise<unknown>;
  readonly isCollection: (call: Call) => boolean;
}

/** Unix seconds; `until` is not included. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** `collect_clmm_fees_and_rewards` has no arguments: its data are the 8 bytes of sha256("global:<name>"). */
export function isRaydiumCollection({ program, data }: Call): boolean {
  return program === 'LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE' && data === '3izAhW6gYfL';
}

/**
 * Reads all collections of a span. The platform's manifest names its wallets; each of its own collections, and each
 * claim made through it, is signed by one of them. Amounts come from the chain alone.
 */
export async function readCollections(sources: Sources, span: Span): Promise<Collected[]> {
  const treasuries = await walletsOf(sources, 'treasury');
  const signers = [...(await walletsOf(sources, 'platform')), ...(await walletsOf(sources, 'rewards'))];
  const own = new Set([...treasuries, ...signers]);
  const quoteMints = await quoteMintsOf(sources);
  const signatures = new Set<string>();
  for (const address of own) for (const signature of await landedIn(sources, address, span)) signatures.add(signature);
  const collected: Collected[] = [];
  for (const signature of signatures) {
    const landed = await readLanded(sources, signature);
    // Anyone can name a wallet of the platform in a collection of their own.
    const isOwn = landed.signers.some((signer) => own.has(signer));
    if (isOwn && landed.calls.some(sources.isCollection)) collected.push(...paidBy(landed, treasuries, quoteMints));
  }
  return collected;
}

export const LABEL = {
  fees: 'Trading Fees',
  treasury: 'Trading Fees To Treasury',
  buybacks: 'Token Buyback And Burn',
  others: 'Trading Fees To Creators And Reward Holders',
} as const;

/** The aggregator's sums of tokens, by label. */
export interface Sums {
  add(token: string, amount: bigint, label: string): void;
}

/** Share of revenue that buys the platform token. */
export interface BuybackShare {
  readonly bps: bigint;
  /** Quote token whose revenue has it; null: all. */
  readonly quoteMint: string | null;
}

/** Adds collections up as the aggregator names them. */
export function bookCollections<S extends Sums>(
  collected: readonly Collected[],
  createSums: () => S,
  share: BuybackShare,
) {
  const [dailyFees, dailyRevenue, dailySupplySideRevenue] = [createSums(), createSums(), createSums()];
  const [dailyProtocolRevenue, dailyHoldersRevenue] = [createSums(), createSums()];
  for (const { mint, amount, to } of collected) {
    dailyFees.add(mint, amount, LABEL.fees);
    if (to === 'others') {
      dailySupplySideRevenue.add(mint, amount, LABEL.others);
      continue;
    }
    const isShared = share.quoteMint === null || share.quoteMint === mint;
    const forBuybacks = isShared ? (amount * share.bps) / 10_000n : 0n;
    const kept = amount - forBuybacks;
    dailyRevenue.add(mint, kept, LABEL.treasury);
    dailyRevenue.add(mint, forBuybacks, LABEL.buybacks);
    dailyProtocolRevenue.add(mint, kept, LABEL.treasury);
    dailyHoldersRevenue.add(mint, forBuybacks, LABEL.buybacks);
  }
  return { dailyFees, dailyRevenue, dailyProtocolRevenue, dailyHoldersRevenue, dailySupplySideRevenue };
}

/** Every address that ever had the role. */
async function walletsOf({ api }: Sources, role: string): Promise<string[]> {
  const addresses = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = record(await api(`/platform/wallets?limit=100&role=${role}${cursor ? `&cursor=${cursor}` : ''}`));
    for (const wallet of list(page['wallets'])) addresses.add(text(record(wallet)['address'], 'address'));
    const pagination = record(page['pagination']);
    if (pagination['hasMore'] !== true) return [...addresses];
    cursor = text(pagination['nextCursor'], 'nextCursor');
  }
}

async function quoteMintsOf({ api }: Sources): Promise<Set<string>> {
  const { pairs } = record(await api('/pairs'));
  return new Set(list(pairs).map((pair) => text(record(pair)['mint'], 'mint')));
}

/** Most entries of a page, as every endpoint gives them. */
const PAGE = 1_000;

/** Lists an address's transactions of a span that succeeded. */
async function landedIn({ rpc }: Sources, address: string, { from, until }: Span): Promise<string[]> {
  const signatures: string[] = [];
  for (let before: string | undefined; ;) {
    const config = { commitment: 'finalized', limit: PAGE, ...(before && { before }) };
    const page = list(await rpc('getSignaturesForAddress', [address, config])).map(record);
    for (const entry of page) {
      const signature = text(entry['signature'], 'signature');
      const at = whole(entry['blockTime'], `blockTime of ${signature}`);
      if (at >= from && at < until && entry['err'] === null) signatures.push(signature);
      if (at < from) return signatures;
      before = signature;
    }
    if (page.length < PAGE) return signatures;
  }
}

interface Gain {
  readonly owner: string;
  readonly mint: string;
  /** Negative for a loss. */
  readonly amount: bigint;
}

interface Landed {
  readonly signature: string;
  readonly signers: readonly string[];
  readonly calls: readonly Call[];
  readonly gains: readonly Gain[];
}

/** A collection takes tokens of one owner, the pool, and gives nothing back. A swap takes tokens of two. */
function paidBy({ signature, gains }: Landed, treasuries: readonly string[], quoteMints: Set<string>): Collected[] {
  const sources = new Set(gains.filter(({ amount }) => amount < 0n).map(({ owner }) => owner));
  if (sources.size !== 1) return [];
  return gains.flatMap(({ owner, mint, amount }) => {
    if (amount <= 0n || !quoteMints.has(mint)) return [];
    return [{ signature, mint, amount, to: treasuries.includes(owner) ? 'treasury' : 'others' }];
  });
}

async function readLanded({ rpc }: Sources, signature: string): Promise<Landed> {
  const config = { commitment: 'finalized', encoding: 'json', maxSupportedTransactionVersion: 0 };
  const found = await rpc('getTransaction', [signature, config]);
  if (found === null) throw new Error(`the endpoint lists ${signature} and does not have it`);
  const { meta, transaction } = record(found);
  const { preTokenBalances, postTokenBalances, innerInstructions, loadedAddresses } = record(meta);
  const message = record(record(transaction)['message']);
  const loaded = record(loadedAddresses ?? {});
  const keys = [message['accountKeys'], loaded['writable'] ?? [], loaded['readonly'] ?? []].flatMap(list);
  const inner = list(innerInstructions ?? []).flatMap((group) => list(record(group)['instructions']));
  const calls = [...list(message['instructions']), ...inner].map(record).map(({ programIdIndex, data }) => ({
    program: text(keys[whole(programIdIndex, 'programIdIndex')], `a program of ${signature}`),
    data: text(data, `data of ${signature}`),
  }));
  const required = whole(record(message['header'])['numRequiredSignatures'], `numRequiredSignatures of ${signature}`);
  const signers = keys.slice(0, required).map((key) => text(key, `a signer of ${signature}`));
  return { signature, signers, calls, gains: gainsOf(balancesOf(preTokenBalances), balancesOf(postTokenBalances)) };
}

interface Balance extends Gain {
  readonly key: string;
}

/** Adds up an owner's accounts: what moves between them is no gain. */
function gainsOf(before: readonly Balance[], after: readonly Balance[]): Gain[] {
  const sums = new Map<string, Gain>();
  const lost = before.map((balance) => ({ ...balance, amount: -balance.amount }));
  for (const { key, owner, mint, amount } of [...lost, ...after])
    sums.set(key, { owner, mint, amount: (sums.get(key)?.amount ?? 0n) + amount });
  return [...sums.values()];
}

function balancesOf(balances: unknown): Balance[] {
  return list(balances ?? [])
    .map(record)
    .map((balance) => {
      const [owner, mint] = [text(balance['owner'], 'owner'), text(balance['mint'], 'mint')];
      const amount = BigInt(text(record(balance['uiTokenAmount'])['amount'], 'amount'));
      return { key: `${owner} ${mint}`, owner, mint, amount };
    });
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new TypeError(`an object was expected, not ${JSON.stringify(value)}`);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`a list was expected, not ${JSON.stringify(value)}`);
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} is no text: ${JSON.stringify(value)}`);
}

function whole(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new TypeError(`${name} is no whole number: ${JSON.stringify(value)}`);
}
