import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  AccountLayout,
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { createLocalChain, type LocalChain, rentLamports } from '../../../dev/seed/local-chain.ts';
import { SEED_PAIRS, type SeedPair, SOL_USD } from '../../../dev/seed/local-pairs.ts';
import { tokenAccountBytes } from '../../../dev/seed/token-bytes.ts';
import { errorText } from '../../../domain/error-text.ts';

/** How the aggregator differs from an honest one. */
export interface SwapBehaviour {
  /** Offered tokens as a share of what the prices say, in bps; default 9,990. */
  readonly offerBps?: bigint;
  /** What the wallet gets as a share of the offer, in bps; default 10,000. */
  readonly fillBps?: bigint;
  /** Fields of the quote to be replaced. */
  readonly quote?: object;
  /** Changes the instructions before they are sent. */
  readonly alter?: (instructions: readonly TransactionInstruction[]) => readonly TransactionInstruction[];
  readonly lookupTables?: readonly string[];
  /** What tokens are worth at present, USD by mint, where it is not what the local chain has them at. */
  readonly usd?: ReadonlyMap<string, string>;
  /** Answers everything with this status. */
  readonly status?: number;
}

/**
 * A server that speaks Jupiter's price API (version 3) and swap API (version 1: quote, swap-instructions) and swaps against a market maker on the local
 * chain, who lets the wallet take quote tokens and gets the SOL for them.
 */
export interface SwapServer {
  readonly url: string;
  readonly maker: PublicKey;
  readonly requests: { readonly path: string; readonly query: URLSearchParams; readonly body: unknown }[];
  behaviour: SwapBehaviour;
  /** Opens the market on a local chain; before it there is no route. */
  openOn(rpcUrl: string): Promise<void>;
  close(): Promise<void>;
}

const SwapRequest = Type.Object({
  userPublicKey: Type.String(),
  wrapAndUnwrapSol: Type.Boolean(),
  quoteResponse: Type.Object({ inAmount: Type.String(), outputMint: Type.String(), outAmount: Type.String() }),
});

const PLENTY = 10n ** 15n;
const BPS = 10_000n;

/**
 * Starts the server; its address is known before there is a chain.
 * @param morePairs priced and sold beside those of the local chain
 */
export async function startSwapServer(morePairs: readonly SeedPair[] = []): Promise<SwapServer> {
  const pairOf = pairAmong([...SEED_PAIRS, ...morePairs]);
  const maker = Keypair.generate().publicKey;
  let chain: LocalChain | undefined;
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(errorText(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const self: SwapServer = {
    // A server that listens on a port has an address with one.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    maker,
    requests: [],
    behaviour: {},
    openOn: async (rpcUrl) => {
      chain = createLocalChain(rpcUrl);
      await chain.fundTo(maker, 1_000_000_000n);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', self.url);
    const body: unknown = request.method === 'POST' ? JSON.parse(await text(request)) : null;
    self.requests.push({ path, query, body });
    if (self.behaviour.status !== undefined) return void response.writeHead(self.behaviour.status).end('busy');
    const value = await valueFor(path, query, body);
    response.writeHead(200).end(JSON.stringify(value));
  }

  function valueFor(path: string, query: URLSearchParams, body: unknown): object | Promise<object> {
    if (path === '/price/v3') return pricesFor(query, pairOf, self.behaviour);
    return path === '/swap/v1/quote' ? quoteFor(query, pairOf, self.behaviour) : instructionsFor(body);
  }

  async function instructionsFor(body: unknown): Promise<object> {
    const { userPublicKey, quoteResponse } = Value.Parse(SwapRequest, Value.Clean(SwapRequest, body));
    const [pair, wallet] = [pairOf(quoteResponse.outputMint), new PublicKey(userPublicKey)];
    if (!chain) throw new Error('the market is closed');
    await letTake(chain, pair, maker, wallet);
    const { alter = (same) => same, fillBps = BPS, lookupTables = [] } = self.behaviour;
    const fillRaw = (BigInt(quoteResponse.outAmount) * fillBps) / BPS;
    const honest = swapInstructions(pair, maker, wallet, BigInt(quoteResponse.inAmount), fillRaw);
    const all = alter(honest).map(toJson);
    return {
      tokenLedgerInstruction: null,
      computeBudgetInstructions: [
        { programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: 'AsBcFQA=' },
      ],
      setupInstructions: all.slice(0, -1),
      swapInstruction: all.at(-1),
      cleanupInstruction: null,
      otherInstructions: [],
      addressLookupTableAddresses: lookupTables,
      prioritizationFeeLamports: 0,
      computeUnitLimit: 1_400_000,
      simulationError: null,
    };
  }

  return self;
}

type PairOf = (mint: string) => SeedPair;

function pairAmong(pairs: readonly SeedPair[]): PairOf {
  return (mint) => {
    const pair = pairs.find((one) => one.mint.toBase58() === mint);
    if (!pair) throw new Error(`no route to ${mint}`);
    return pair;
  };
}

/** Dated by a slot that no chain reaches: as of now. */
const LAST_BLOCK = 999_999_999_999;

function pricesFor(query: URLSearchParams, pairOf: PairOf, behaviour: SwapBehaviour): object {
  const mints = (query.get('ids') ?? '').split(',');
  return Object.fromEntries(
    mints.map((mint) => [mint, { usdPrice: Number(usdOf(mint, pairOf, behaviour)), blockId: LAST_BLOCK }]),
  );
}

function usdOf(mint: string, pairOf: PairOf, { usd }: SwapBehaviour): string {
  return usd?.get(mint) ?? (mint === NATIVE_MINT.toBase58() ? SOL_USD : pairOf(mint).usd);
}

/** A quote as Jupiter answers it, at the prices of the local chain. */
function quoteFor(query: URLSearchParams, pairOf: PairOf, behaviour: SwapBehaviour): object {
  const { offerBps = 9_990n, quote = {} } = behaviour;
  const [inAmount, outputMint] = [query.get('amount') ?? '0', query.get('outputMint') ?? ''];
  const { decimals } = pairOf(outputMint);
  const usd = usdOf(outputMint, pairOf, behaviour);
  const fair = (BigInt(inAmount) * micro(SOL_USD) * 10n ** BigInt(decimals)) / (micro(usd) * 1_000_000_000n);
  const out = (fair * offerBps) / BPS;
  const slippageBps = Number(query.get('slippageBps'));
  return {
    inputMint: query.get('inputMint'),
    inAmount,
    outputMint,
    outAmount: out.toString(),
    otherAmountThreshold: ((out * BigInt(10_000 - slippageBps)) / BPS).toString(),
    swapMode: query.get('swapMode'),
    slippageBps,
    platformFee: null,
    priceImpactPct: '0.0005',
    routePlan: [
      { swapInfo: { ammKey: outputMint, label: 'Local', inAmount, outAmount: out.toString() }, percent: 100 },
    ],
    contextSlot: 1,
    timeTaken: 0.001,
    ...quote,
  };
}

function micro(usd: string): bigint {
  return BigInt(Math.round(Number(usd) * 1_000_000));
}

/** Fills the maker's account and makes the wallet its delegate. */
async function letTake(chain: LocalChain, pair: SeedPair, maker: PublicKey, wallet: PublicKey): Promise<void> {
  const data = Buffer.from(tokenAccountBytes(pair, maker, PLENTY));
  const account = { ...AccountLayout.decode(data.subarray(0, AccountLayout.span)), delegateOption: 1 as const };
  AccountLayout.encode({ ...account, delegate: wallet, delegatedAmount: PLENTY }, data);
  const address = accountOf(pair, maker);
  const lamports = rentLamports(data.length);
  await chain.writeAccounts([{ address, lamports, owner: pair.tokenProgram, data }]);
}

function swapInstructions(
  pair: SeedPair,
  maker: PublicKey,
  wallet: PublicKey,
  lamports: bigint,
  fillRaw: bigint,
): TransactionInstruction[] {
  const { mint, decimals, tokenProgram } = pair;
  const [from, to] = [accountOf(pair, maker), accountOf(pair, wallet)];
  return [
    createAssociatedTokenAccountIdempotentInstruction(wallet, to, wallet, mint, tokenProgram),
    SystemProgram.transfer({ fromPubkey: wallet, toPubkey: maker, lamports }),
    createTransferCheckedInstruction(from, mint, to, wallet, fillRaw, decimals, [], tokenProgram),
  ];
}

function accountOf({ mint, tokenProgram }: SeedPair, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, owner, true, tokenProgram);
}

function toJson({ programId, keys, data }: TransactionInstruction) {
  const accounts = keys.map(({ pubkey, isSigner, isWritable }) => ({
    pubkey: pubkey.toBase58(),
    isSigner,
    isWritable,
  }));
  return { programId: programId.toBase58(), accounts, data: data.toString('base64') };
}
