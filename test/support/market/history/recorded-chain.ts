import { createHash } from 'node:crypto';
import { MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { type AccountInfo, Message, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { DecodedSwap, Exchange, PoolSummary } from '../../../../chain/exchange/exchange.ts';
import type { StreamEvent } from '../../../../chain/stream/chain-stream.ts';

/** base58; the mint sorts before the quote mint. */
export interface RecordedPool {
  readonly pool: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly baseVault: string;
  readonly quoteVault: string;
}

interface Balances {
  readonly base: bigint;
  readonly quote: bigint;
}

interface Order {
  readonly signature: string;
  readonly wallet: string;
  readonly pool: RecordedPool;
  readonly side: 'buy' | 'sell';
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** A trade as the chain has it. */
export interface Landed extends Order {
  readonly before: Balances;
  readonly after: Balances;
}

export interface RecordedBlock {
  readonly slot: number;
  readonly parent: number;
  /** Unix seconds. */
  readonly blockTime: number;
  readonly landed: readonly Landed[];
}

export const FIRST_SLOT = 10_000;
export const OPENING: Balances = { base: 8n * 10n ** 17n, quote: 10n ** 15n };
export const SUPPLY_RAW = 10n ** 18n;
export const BASE_DECIMALS = 9;
export const QUOTE_DECIMALS = 6;
const SLOT_SECONDS = 0.4;
const BLOCKS_TO_FINALITY = 5;
const ACCOUNT_BYTES = 165;
const AMOUNT_OFFSET = 64;
const TRADED_PART = { offset: 0, length: 32 };
/** No sum of different trades cancels another, so that none goes unnoticed. */
const amountOf = (index: number): bigint => 10n ** 6n * 2n ** BigInt(index);

/** A chain that is made up, and how far it is. */
export class RecordedChain {
  readonly #pools: readonly RecordedPool[];
  readonly #start: number;
  #blocks: RecordedBlock[];
  #pending: Order[] = [];
  #orders = 0;
  /** The newest slot, also of a dead block. */
  #slot = FIRST_SLOT;

  /** @param start Unix seconds of the first slot */
  constructor(pools: readonly RecordedPool[], start: number) {
    this.#pools = pools;
    this.#start = start;
    this.#blocks = [{ slot: FIRST_SLOT, parent: FIRST_SLOT - 1, blockTime: start, landed: [] }];
  }

  get blocks(): readonly RecordedBlock[] {
    return this.#blocks;
  }

  get tip(): RecordedBlock {
    return this.#blocks.at(-1)!;
  }

  get finalized(): number {
    return this.#blocks.at(-1 - BLOCKS_TO_FINALITY)?.slot ?? FIRST_SLOT;
  }

  /** Unix seconds. */
  get now(): number {
    return this.timeOf(this.#slot);
  }

  timeOf(slot: number): number {
    return this.#start + Math.floor((slot - FIRST_SLOT) * SLOT_SECONDS);
  }

  trade(pool: number, side: 'buy' | 'sell'): void {
    const index = this.#orders++;
    const amount = amountOf(index);
    const name = (what: string, bytes: number) =>
      bs58.encode(createHash('shake256', { outputLength: bytes }).update(`${this.#start}/${what}/${index}`).digest());
    const parties = { signature: name('signature', 64), wallet: name('wallet', 32), pool: this.#pools[pool]! };
    this.#pending.push({ ...parties, side, baseRaw: amount * 3n, quoteRaw: amount / 1_000n });
  }

  /** Ends the block of the pending trades. */
  close(skipped: number): RecordedBlock {
    const [parent, slot] = [this.tip.slot, this.#slot + 1 + skipped];
    this.#slot = slot;
    const landed: Landed[] = [];
    for (const order of this.#pending)
      landed.push(land(order, landed.findLast(isOf(order.pool))?.after ?? this.at(order.pool)));
    const block = { slot, parent, blockTime: this.timeOf(slot), landed };
    this.#blocks.push(block);
    this.#pending = [];
    return block;
  }

  /** Takes out the newest blocks that are not final; answers them. */
  fork(depth: number, reland: number): readonly RecordedBlock[] {
    const open = this.#blocks.filter(({ slot }) => slot > this.finalized);
    const dead = open.slice(-depth);
    this.#blocks = this.#blocks.filter((block) => !dead.includes(block));
    const orders = dead.flatMap(({ landed }) => landed).filter((_, index) => (reland >> (index % 3)) & 1);
    this.#pending = [...orders, ...this.#pending];
    return dead;
  }

  /** What a pool's vaults hold at a slot. */
  at(pool: RecordedPool, slot = Infinity): Balances {
    return this.#landedUntil(pool, slot).at(-1)?.after ?? OPENING;
  }

  #landedUntil(pool: RecordedPool, slot: number): readonly Landed[] {
    return this.#blocks.filter((block) => block.slot <= slot).flatMap(({ landed }) => landed.filter(isOf(pool)));
  }

  accountAt(address: string, slot: number): AccountInfo<Buffer> {
    const vaulted = this.#pools.find(({ baseVault, quoteVault }) => [baseVault, quoteVault].includes(address));
    if (vaulted) {
      const { base, quote } = this.at(vaulted, slot);
      const data = Buffer.alloc(ACCOUNT_BYTES);
      data.writeBigUInt64LE(address === vaulted.baseVault ? base : quote, AMOUNT_OFFSET);
      return accountWith(data);
    }
    const pool = this.#pools.find((one) => one.pool === address);
    return accountWith(pool ? poolData(this.#landedUntil(pool, slot).at(-1)) : MINT);
  }

  /** What a source reports of a block. */
  eventsOf({ slot, parent, blockTime, landed }: RecordedBlock): StreamEvent[] {
    const trades = landed.flatMap((one, index): StreamEvent[] => [
      { kind: 'transaction', slot, index, signature: one.signature, response: responseOf(one, slot) },
      {
        kind: 'account',
        slot,
        address: one.pool.pool,
        account: accountWith(poolData(one)),
        signature: one.signature,
      },
    ]);
    return [
      ...trades,
      { kind: 'block', slot, parent, blockTime },
      { kind: 'slot', slot, status: 'confirmed' },
      { kind: 'slot', slot: this.finalized, status: 'finalized' },
    ];
  }

  /** The exchange whose pools these are. */
  exchangeLike(exchange: Exchange): Exchange {
    return {
      ...exchange,
      tradedPart: TRADED_PART,
      markIn: (part) => part.toString('hex'),
      decodeSwaps: ({ meta, transaction: { message } }, baseSideOf) => {
        const keys = message.getAccountKeys();
        const pool = keys.get(3)!;
        return baseSideOf(pool) === undefined ? [] : [swapIn(pool, keys.get(0)!, meta!)];
      },
      readPools: async (addresses) => addresses.map((address) => this.#summaryOf(address)),
    };
  }

  #summaryOf(address: PublicKey): PoolSummary | null {
    const pool = this.#pools.find((one) => one.pool === address.toBase58());
    if (!pool) return null;
    const [token0, token1, vault0, vault1] = [pool.mint, pool.quoteMint, pool.baseVault, pool.quoteVault].map(
      (key) => new PublicKey(key),
    ) as [PublicKey, PublicKey, PublicKey, PublicKey];
    const none = { tick: 0, feeGrowth0X64: 0n, feeGrowth1X64: 0n, activeLiquidity: 0n };
    const sqrtPriceX64 = sqrtPriceAt(this.at(pool));
    return { pool: address, token0, token1, vault0, vault1, sqrtPriceX64, slot: this.tip.slot, ...none };
  }
}

function isOf(pool: RecordedPool) {
  return (landed: Landed) => landed.pool === pool;
}

function land({ signature, wallet, pool, side, baseRaw, quoteRaw }: Order, before: Balances): Landed {
  const sign = side === 'buy' ? 1n : -1n;
  const after = { base: before.base - sign * baseRaw, quote: before.quote + sign * quoteRaw };
  return { signature, wallet, pool, side, baseRaw, quoteRaw, before, after };
}

/** Square root of quote per base, Q64.64. */
export function sqrtPriceAt({ base, quote }: Balances): bigint {
  const square = (quote << 128n) / base;
  let root = 1n << 64n;
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next === root || next === root + 1n) return root;
    root = next;
  }
}

function poolData(last: Landed | undefined): Buffer {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  if (last) createHash('sha256').update(last.signature).update(String(last.after.base)).digest().copy(data);
  return data;
}

function accountWith(data: Buffer): AccountInfo<Buffer> {
  return { lamports: 1, owner: TOKEN_PROGRAM_ID, data, executable: false, rentEpoch: 0 };
}

const MINT = (() => {
  const data = Buffer.alloc(MintLayout.span);
  const none = { mintAuthorityOption: 0 as const, freezeAuthorityOption: 0 as const };
  const authorities = { mintAuthority: PublicKey.default, freezeAuthority: PublicKey.default };
  MintLayout.encode(
    { ...none, ...authorities, supply: SUPPLY_RAW, decimals: BASE_DECIMALS, isInitialized: true },
    data,
  );
  return data;
})();

function messageOf({ wallet, pool: { pool, baseVault, quoteVault } }: Landed): Message {
  return new Message({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    accountKeys: [wallet, baseVault, quoteVault, pool].map((key) => new PublicKey(key)),
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [],
  });
}

/** The signed transaction, base64. */
export function wireOf(landed: Landed): string {
  const transaction = new VersionedTransaction(messageOf(landed), [bs58.decode(landed.signature)]);
  return Buffer.from(transaction.serialize()).toString('base64');
}

export function metaOf({ before, after, pool }: Landed) {
  const balances = ({ base, quote }: Balances) =>
    [
      [1, pool.mint, base, BASE_DECIMALS],
      [2, pool.quoteMint, quote, QUOTE_DECIMALS],
    ].map(([accountIndex, mint, raw, decimals]) => ({
      accountIndex: Number(accountIndex),
      mint: String(mint),
      uiTokenAmount: { amount: String(raw), decimals: Number(decimals), uiAmount: null },
    }));
  const none = { preBalances: [], postBalances: [], logMessages: [], innerInstructions: [] };
  const loadedAddresses = { writable: [], readonly: [] };
  const tokens = { preTokenBalances: balances(before), postTokenBalances: balances(after) };
  return { err: null, fee: 5_000, ...none, ...tokens, loadedAddresses };
}

function responseOf(landed: Landed, slot: number) {
  const transaction = { message: messageOf(landed), signatures: [landed.signature] };
  return { slot, version: 'legacy' as const, transaction, meta: metaOf(landed) };
}

function swapIn(
  pool: PublicKey,
  wallet: PublicKey,
  meta: Pick<ReturnType<typeof metaOf>, never> & object,
): DecodedSwap {
  const { preTokenBalances, postTokenBalances } = meta as ReturnType<typeof metaOf>;
  const [before, after] = [preTokenBalances, postTokenBalances].map(([base, quote]) => ({
    base: BigInt(base!.uiTokenAmount.amount),
    quote: BigInt(quote!.uiTokenAmount.amount),
  })) as [Balances, Balances];
  const isBuy = after.base < before.base;
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  return {
    pool,
    wallet,
    side: isBuy ? 'buy' : 'sell',
    baseRaw: size(after.base - before.base),
    quoteRaw: size(after.quote - before.quote),
    sqrtPriceAfterX64: sqrtPriceAt(after),
    tickAfter: 0,
    mark: null,
  };
}
