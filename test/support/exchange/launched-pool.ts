import { Keypair, type PublicKey } from '@solana/web3.js';
import type {
  BaseSideOf,
  Exchange,
  InstructionGroup,
  LaunchPoolRequest,
  PoolState,
  QuoteRequest,
  SwapQuote,
} from '../../../chain/exchange/exchange.ts';
import { sortsBefore } from '../../../chain/exchange/opening.ts';
import { feeModelOf } from '../../../domain/fee-models.ts';
import { TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { drawParties, type LaunchCase, type LaunchParties, poolRequest, quoteTokenOf } from './launch-request.ts';
import type { Landed, TestChain } from './test-chain.ts';

/** An order without its tokens. */
export type Order = Pick<QuoteRequest, 'side' | 'exact' | 'amount'>;

/** A launch under test: its mints and wallets exist, its pool and locks as far as a test has built them. */
export interface LaunchUnderTest {
  readonly exchange: Exchange;
  readonly chain: TestChain;
  readonly parties: LaunchParties;
  readonly request: LaunchPoolRequest;
  readonly pool: PublicKey;
  land(group: InstructionGroup): Promise<Landed>;
  succeed(group: InstructionGroup): Promise<Landed>;
  state(): Promise<PoolState>;
}

/** A wallet with quote tokens and an empty account of the base token. */
export interface Trader {
  readonly wallet: Keypair;
  readonly baseAccount: PublicKey;
  readonly quoteAccount: PublicKey;
}

const QUOTE_SUPPLY_RAW = 10n ** 17n;
const TRADER_QUOTE_RAW = 1_000_000n * 10n ** 6n;
/** Quote tokens that a launch wallet starts with, raw units. */
export const LAUNCH_WALLET_QUOTE_RAW = 10_000n * 10n ** 6n;

/** Makes both mints and the funded wallets of a launch. */
export async function prepareLaunch(
  exchange: Exchange,
  chain: TestChain,
  launch: LaunchCase,
): Promise<LaunchUnderTest> {
  const quoteMint = Keypair.generate();
  const parties = drawParties(quoteMint.publicKey, launch.baseFirst);
  const quote = quoteTokenOf(quoteMint.publicKey, launch.quoteProgram);
  const request = await poolRequest(exchange, launch, parties, quote.mint);
  const { base, launchWallet } = request;
  await chain.fund(launchWallet, 1_000_000_000);
  await chain.createToken(quote, quoteMint, QUOTE_SUPPLY_RAW, chain.bank.publicKey);
  await chain.give(quote, launchWallet, LAUNCH_WALLET_QUOTE_RAW);
  await chain.createToken(base, parties.mint, TOTAL_SUPPLY_RAW, launchWallet);
  await chain.openAccount(base, parties.creator.publicKey);
  const signers = [parties.wallet, ...parties.positionMints, ...parties.feeKeyMints];
  const pool = exchange.poolAddress(base.mint, quote.mint, feeModelOf(launch.fee).poolFeeTier);
  return {
    exchange,
    chain,
    parties,
    request,
    pool,
    land: (group) => chain.land(parties.wallet, group, signers),
    succeed: (group) => chain.succeed(parties.wallet, group, signers),
    async state() {
      const state = await exchange.readPool(pool);
      if (!state) throw new Error(`there is no pool ${pool.toBase58()}`);
      return state;
    },
  };
}

/** A launch whose pool and locks have landed. */
export async function launchPool(exchange: Exchange, chain: TestChain, launch: LaunchCase): Promise<LaunchUnderTest> {
  const prepared = await prepareLaunch(exchange, chain, launch);
  await prepared.succeed(exchange.buildPool(prepared.request));
  await prepared.succeed(exchange.buildLocks(prepared.request));
  return prepared;
}

/** A new wallet that can trade. */
export async function openTrader({ chain, request }: LaunchUnderTest): Promise<Trader> {
  const wallet = Keypair.generate();
  await chain.fund(wallet.publicKey, 1_000_000_000);
  const baseAccount = await chain.openAccount(request.base, wallet.publicKey);
  const quoteAccount = await chain.give(request.quote, wallet.publicKey, TRADER_QUOTE_RAW);
  return { wallet, baseAccount, quoteAccount };
}

/** Quotes an order on the present state and builds it with limits that allow exactly this fill. */
export async function quoteAndBuild(launch: LaunchUnderTest, trader: Trader, order: Order) {
  const { exchange, request } = launch;
  const state = await launch.state();
  const quoteRequest = { ...order, base: request.base, quote: request.quote };
  const quote = filled(exchange.quoteSwap(state, quoteRequest));
  const [inputTokenAccount, outputTokenAccount] =
    order.side === 'buy' ? [trader.quoteAccount, trader.baseAccount] : [trader.baseAccount, trader.quoteAccount];
  const limit = order.exact === 'in' ? quote.amountOut : quote.amountIn;
  const owner = trader.wallet.publicKey;
  const group = exchange.buildSwap({ ...quoteRequest, state, limit, owner, inputTokenAccount, outputTokenAccount });
  return { state, quote, group, inputTokenAccount, outputTokenAccount };
}

/** Quotes, builds and lands an order. */
export async function swap(launch: LaunchUnderTest, trader: Trader, order: Order): Promise<Landed> {
  const { group } = await quoteAndBuild(launch, trader, order);
  return launch.chain.succeed(trader.wallet, group);
}

/** On which side the launched token of a pool lies. */
export function baseSideOf({ base, quote }: LaunchPoolRequest): BaseSideOf {
  return () => sortsBefore(base.mint, quote.mint);
}

/** The quote of an order that must be fillable. */
export function filled(quote: SwapQuote): SwapQuote & { fillable: true } {
  if (!quote.fillable) throw new Error(quote.reason);
  return quote;
}

/** Collects a Fee Key's fees into accounts of the holder, opened where they are missing. */
export async function buildHarvest(launch: LaunchUnderTest, feeKey: 0 | 1, holder: PublicKey) {
  const { chain, request, parties, exchange } = launch;
  const baseAccount = await chain.openAccount(request.base, holder);
  const quoteAccount = await chain.openAccount(request.quote, holder);
  const group = await exchange.buildHarvest({
    pool: await launch.state(),
    base: request.base,
    quote: request.quote,
    feeKeyMint: parties.feeKeyMints[feeKey].publicKey,
    holder,
    baseAccount,
    quoteAccount,
  });
  return { group, baseAccount, quoteAccount };
}
