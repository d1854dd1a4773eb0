import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { MintLayout, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, Message, PublicKey, type TokenBalance, type VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';
import Type from 'typebox';
import { Parse } from 'typebox/value';
import type { AccountPart, DecodedSwap, Exchange } from '../../chain/exchange/exchange.ts';
import type { ChainStream, StreamEvent } from '../../chain/stream/chain-stream.ts';

export interface MadeUpPool {
  readonly pool: string;
  readonly mint: string;
  readonly quoteMint: string;
  readonly baseVault: string;
  readonly quoteVault: string;
  readonly balances: { slot: number; base: bigint; quote: bigint }[];
}

const SLOT_MS = 400;
const SLOTS_TO_FINALIZE = 31;
const SUPPLY_RAW = 10n ** 18n;
const ACCOUNT_BYTES = 165;
const AMOUNT_OFFSET = 64;
/** As real servers keep. */
export const FIRST_SLOT = 10_000;

/** A stream at `confirmed` and slow RPC balances; runs no transactions, which leaves the machine to the index. */
export class MadeUpChain {
  readonly #pools: readonly MadeUpPool[];
  readonly #byVault: ReadonlyMap<string, MadeUpPool>;
  readonly #roundTripMs: number;
  readonly #accountOf: (address: string) => Buffer;
  readonly #server: Server;
  #receive: (event: StreamEvent) => void = () => undefined;
  #slot = FIRST_SLOT;
  readonly told = new Map<string, number>();
  bytes = 0;

  /** @param accountOf of other addresses; default: a mint */
  constructor(pools: readonly MadeUpPool[], roundTripMs: number, accountOf: (address: string) => Buffer = () => MINT) {
    this.#pools = pools;
    this.#accountOf = accountOf;
    this.#byVault = new Map(pools.map((pool) => [pool.baseVault, pool]));
    this.#roundTripMs = roundTripMs;
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        void sleep(this.#roundTripMs).then(() => {
          const answer = gzipSync(JSON.stringify(this.#answer(body)), { level: 6 });
          this.bytes += answer.length;
          response.setHeader('content-type', 'application/json');
          response.setHeader('content-encoding', 'gzip');
          response.end(answer);
        });
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get stream(): ChainStream {
    return {
      host: 'made up',
      firstAvailable: () => Promise.resolve(0),
      open: (_wanted, _from, receive) => {
        this.#receive = receive;
        return { change: () => undefined, ended: new Promise(() => undefined), close: () => undefined };
      },
      close: () => undefined,
    };
  }

  exchangeLike(exchange: Exchange): Exchange {
    return { ...exchange, decodeSwaps: (transaction) => [swapIn(transaction)] };
  }

  async run(seconds: number, swapsPerSecond: number): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    for (let next = performance.now(); performance.now() < until;) {
      next += SLOT_MS;
      this.#tellSlot(Math.round((swapsPerSecond * SLOT_MS) / 1_000));
      await sleep(Math.max(0, next - performance.now()));
    }
  }

  #tellSlot(swaps: number): void {
    const slot = ++this.#slot;
    const changed = new Set<MadeUpPool>();
    for (let index = 0; index < swaps; index++) {
      const pool = this.#pools[Math.floor(Math.random() * this.#pools.length)];
      if (!pool) throw new Error('there are no pools to trade on');
      this.#tellSwap(pool, slot, index);
      changed.add(pool);
    }
    this.#receive({ kind: 'block', slot, parent: slot - 1, blockTime: Math.floor(Date.now() / 1_000) });
    this.#receive({ kind: 'slot', slot, status: 'confirmed' });
    this.#receive({ kind: 'slot', slot: slot - SLOTS_TO_FINALIZE, status: 'finalized' });
  }

  #tellSwap(pool: MadeUpPool, slot: number, index: number): void {
    const before = pool.balances.at(-1);
    if (!before) throw new Error(`${pool.pool} holds nothing`);
    const amount = BigInt(1 + Math.floor(Math.random() * 1e6));
    const isBuy = before.quote < 10n ** 12n || Math.random() < 0.5;
    const after = {
      slot,
      base: isBuy ? before.base - amount * 1_000n : before.base + amount * 1_000n,
      quote: isBuy ? before.quote + amount : before.quote - amount,
    };
    pool.balances.push(after);
    const signature = bs58.encode(randomBytes(64));
    this.told.set(signature, performance.now());
    const response = responseOf(pool, slot, signature, before, after);
    this.#receive({ kind: 'transaction', slot, index, signature, response });
    this.#receive({
      kind: 'account',
      slot,
      address: pool.pool,
      account: accountWith(randomBytes(ACCOUNT_BYTES)),
      signature,
    });
  }

  #answer(body: string): unknown {
    const { id, method, params } = Parse(RequestSchema, JSON.parse(body));
    const slot = this.#slot - SLOTS_TO_FINALIZE;
    if (method === 'getEpochInfo') return { jsonrpc: '2.0', id, result: { absoluteSlot: slot, blockHeight: slot } };
    if (method !== 'getMultipleAccounts') return { jsonrpc: '2.0', id, error: { code: -32_601, message: method } };
    const [addresses, { dataSlice }] = Parse(ParamsSchema, params);
    const value = addresses.map((at) => this.#accountAt(at, slot, dataSlice));
    return { jsonrpc: '2.0', id, result: { context: { slot }, value } };
  }

  #accountAt(address: string, slot: number, { offset, length }: AccountPart = WHOLE): unknown {
    const pool = this.#byVault.get(address);
    const data = pool ? vaultOf(pool, slot) : this.#accountOf(address);
    const owner = TOKEN_PROGRAM_ID.toBase58();
    return {
      data: [data.subarray(offset, offset + length).toString('base64'), 'base64'],
      executable: false,
      lamports: 1,
      owner,
      rentEpoch: 0,
      space: data.length,
    };
  }
}

const RequestSchema = Type.Object({ id: Type.Unknown(), method: Type.String(), params: Type.Array(Type.Unknown()) });
const SliceSchema = Type.Object({ offset: Type.Integer(), length: Type.Integer() });
const ParamsSchema = Type.Tuple([Type.Array(Type.String()), Type.Object({ dataSlice: Type.Optional(SliceSchema) })]);
const WHOLE: AccountPart = { offset: 0, length: Infinity };

const MINT = (() => {
  const data = Buffer.alloc(MintLayout.span);
  const none = { mintAuthorityOption: 0 as const, freezeAuthorityOption: 0 as const };
  const nobody = { mintAuthority: PublicKey.default, freezeAuthority: PublicKey.default };
  MintLayout.encode({ ...none, ...nobody, supply: SUPPLY_RAW, decimals: 9, isInitialized: true }, data);
  return data;
})();

function vaultOf({ balances }: MadeUpPool, slot: number): Buffer {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  data.writeBigUInt64LE(balances.findLast((at) => at.slot <= slot)?.base ?? 0n, AMOUNT_OFFSET);
  return data;
}

export function accountWith(data: Buffer) {
  return { lamports: 1, owner: TOKEN_PROGRAM_ID, data, executable: false, rentEpoch: 0 };
}

interface Held {
  readonly base: bigint;
  readonly quote: bigint;
}

function responseOf(
  pool: MadeUpPool,
  slot: number,
  signature: string,
  before: Held,
  after: Held,
): VersionedTransactionResponse {
  const keys = [
    Keypair.generate().publicKey,
    ...[pool.baseVault, pool.quoteVault, pool.pool].map((key) => new PublicKey(key)),
  ];
  const message = new Message({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    accountKeys: keys,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [],
  });
  const balances = ({ base, quote }: Held): TokenBalance[] => [
    balance(1, pool.mint, base),
    balance(2, pool.quoteMint, quote),
  ];
  return {
    slot,
    version: 'legacy',
    transaction: { message, signatures: [signature] },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: [],
      postBalances: [],
      logMessages: [],
      preTokenBalances: balances(before),
      postTokenBalances: balances(after),
      loadedAddresses: { writable: [], readonly: [] },
    },
  };
}

function balance(accountIndex: number, mint: string, raw: bigint): TokenBalance {
  return { accountIndex, mint, uiTokenAmount: { amount: String(raw), decimals: 9, uiAmount: null } };
}

function swapIn({ transaction, meta }: VersionedTransactionResponse): DecodedSwap {
  const keys = transaction.message.getAccountKeys();
  const [wallet, pool] = [keys.get(0), keys.get(3)];
  if (!wallet || !pool) throw new Error('a transaction that is made up has four accounts');
  const moved = (place: number): bigint =>
    BigInt(meta?.postTokenBalances?.[place]?.uiTokenAmount.amount ?? 0) -
    BigInt(meta?.preTokenBalances?.[place]?.uiTokenAmount.amount ?? 0);
  const [base, quote] = [moved(0), moved(1)];
  const size = (raw: bigint): bigint => (raw < 0n ? -raw : raw);
  const side = base < 0n ? 'buy' : 'sell';
  return {
    pool,
    side,
    wallet,
    baseRaw: size(base),
    quoteRaw: size(quote),
    sqrtPriceAfterX64: 2n ** 64n,
    tickAfter: 0,
    mark: null,
  };
}
