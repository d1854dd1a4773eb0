import { type Connection, type PublicKey, SystemProgram } from '@solana/web3.js';
import type { Exchange, PoolState } from '../../chain/exchange/exchange.ts';
import {
  createTokenAccount,
  TOKEN_ACCOUNT_COMPUTE_UNITS,
  tokenAccountOf,
} from '../../chain/tokens/associated-account.ts';
import { BundleSendError, type BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import type { SignedTransaction } from '../../chain/transactions/compile.ts';
import { land } from '../../chain/transactions/land.ts';
import { signPurposed } from '../../chain/transactions/purposed.ts';
import type { MoneyDeps } from '../money/deps.ts';
import { whileAlive } from '../money/heartbeat-while.ts';
import { type MarketOrder, sizeByQuorum } from './order.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface MarketSwapDeps extends Pick<MoneyDeps, 'rpc' | 'logger' | 'sleep' | 'heartbeat'> {
  readonly exchange: Exchange;
  readonly exchangeAt: (connection: Connection) => Pick<Exchange, 'readPool'>;
  readonly relay: BundleRelay;
  readonly settings: {
    readonly tipLamports: bigint;
    /** micro-lamports per compute unit */
    readonly computeUnitPrice: bigint;
  };
}

export interface MarketSwap extends MarketOrder {
  readonly pool: PublicKey;
  /** Holds input and output; signs. */
  readonly wallet: TransactionSigner;
  /** Pays network fee, tip and rent. */
  readonly payer: TransactionSigner;
  /** Default: read from the chain. */
  readonly isOutputOpen?: boolean;
}

const TIP_COMPUTE_UNITS = 1_000;

/**
 * For `moveOnce` as `build`, with {@link sendAsBundle} as `send`. Throws a MarketRefusedError if the limits allow
 * none; an RpcUnavailableError if no quorum has seen the pool: that ends no sale.
 */
export async function buildMarketSwap(
  deps: MarketSwapDeps,
  swap: MarketSwap,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const { base, quote, side, wallet, payer } = swap;
  const [states, tip] = await Promise.all([poolByQuorum(deps, swap.pool), tipAccount(deps.relay)]);
  const { state, request, limitRaw } = sizeByQuorum(deps.exchange, states, swap, deps.rpc.quorum);
  const [input, output] = side === 'buy' ? [quote, base] : [base, quote];
  const group = deps.exchange.buildSwap({
    ...request,
    state,
    limit: limitRaw,
    owner: wallet.publicKey,
    inputTokenAccount: tokenAccountOf(input, wallet.publicKey),
    outputTokenAccount: tokenAccountOf(output, wallet.publicKey),
  });
  const { tipLamports: lamports, computeUnitPrice } = deps.settings;
  if (!swap.isOutputOpen) await openOutput(deps, payer, output, wallet.publicKey);
  const frame = { stamp, payer, wallet, computeUnitPrice };
  return signPurposed(frame, {
    instructions: [
      ...group.instructions,
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: tip, lamports }),
    ],
    signers: group.signers,
    computeUnits: group.computeUnits + TIP_COMPUTE_UNITS,
  });
}

/** The pool as each endpoint shows it, of at least a quorum. */
async function poolByQuorum({ rpc, exchangeAt }: MarketSwapDeps, pool: PublicKey): Promise<readonly PoolState[]> {
  const answers = await rpc.foundByQuorum(
    (connection) => exchangeAt(connection).readPool(pool),
    (state) => (state === null ? 'nothing' : 'success'),
  );
  return answers.filter((state) => state !== null);
}

const OPENING_POLL_MS = 200;

/** A quorum must show it open: a swap into a missing account never lands. Opening an existing one changes nothing. */
async function openOutput(
  deps: MarketSwapDeps,
  payer: TransactionSigner,
  token: TokenInfo,
  owner: PublicKey,
): Promise<void> {
  const { rpc, sleep, settings } = deps;
  const address = tokenAccountOf(token, owner).toBase58();
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  if (said.agreed(address, (account) => account?.owner.equals(token.tokenProgram) ?? false)) return;
  const opening = createTokenAccount(payer.publicKey, token, owner);
  const lander = { rpc, payer, sleep, computeUnitPrice: settings.computeUnitPrice, pollMs: OPENING_POLL_MS };
  await whileAlive(deps, land(lander, [opening], TOKEN_ACCOUNT_COMPUTE_UNITS));
}

/** Sends the swap as a bundle: private until it lands. A failed send decides nothing. */
export async function sendAsBundle({ relay, logger }: MarketSwapDeps, wire: Uint8Array): Promise<void> {
  try {
    const { bundleId } = await relay.sendBundle([wire]);
    logger.info({ bundleId }, 'swap sent as a bundle');
  } catch (error) {
    if (!(error instanceof BundleSendError)) throw error;
    logger.warn({ err: error, outcome: error.outcome }, 'a swap’s bundle was not taken');
  }
}

/** Spreads the load. */
async function tipAccount(relay: BundleRelay): Promise<PublicKey> {
  const accounts = await relay.tipAccounts();
  const account = accounts[Math.floor(Math.random() * accounts.length)];
  if (!account) throw new Error('the block engine names no tip account');
  return account;
}
