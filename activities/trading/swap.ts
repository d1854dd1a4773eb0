import { type PublicKey, SystemProgram } from '@solana/web3.js';
import type { Exchange, TokenInfo } from '../../chain/exchange/exchange.ts';
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
import { type MarketOrder, MarketRefusedError, sizeOrder } from './order.ts';

/** What swaps on the platform's own markets use from outside. */
export interface MarketSwapDeps extends Pick<MoneyDeps, 'rpc' | 'logger' | 'sleep' | 'heartbeat'> {
  readonly exchange: Exchange;
  readonly relay: BundleRelay;
  readonly settings: {
    /** Tip of a bundle, lamports. */
    readonly tipLamports: bigint;
    /** micro-lamports per compute unit */
    readonly computeUnitPrice: bigint;
  };
}

/** A swap out of a wallet of the platform's into the same wallet. */
export interface MarketSwap extends MarketOrder {
  readonly pool: PublicKey;
  /** Holds input and output; signs. */
  readonly wallet: TransactionSigner;
  /** Pays network fee, tip and rent. */
  readonly payer: TransactionSigner;
  /** Whether the account that the output reaches is known to be open; default: it is asked for. */
  readonly isOutputOpen?: boolean;
}

const TIP_COMPUTE_UNITS = 1_000;

/**
 * Builds and signs one swap on the pool as it stands, as large as the limits allow, with its tip. Hand it to `moveOnce` as
 * `build`, with {@link sendAsBundle} as `send`. Throws a MarketRefusedError where the limits allow none at present.
 */
export async function buildMarketSwap(
  deps: MarketSwapDeps,
  swap: MarketSwap,
  stamp: Stamp,
): Promise<SignedTransaction> {
  const { base, quote, side, wallet, payer } = swap;
  const [state, tip] = await Promise.all([deps.exchange.readPool(swap.pool), tipAccount(deps.relay)]);
  if (!state) throw new MarketRefusedError(`there is no pool ${swap.pool.toBase58()}`);
  const { request, limitRaw } = sizeOrder(deps.exchange, state, swap);
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

/** How often it is asked whether an account is open, in ms. */
const OPENING_POLL_MS = 200;

/**
 * Opens the account that the output reaches, before and apart from the first swap: beside a swap it does not fit one packet. Only what a
 * quorum shows is open, because a swap into an account that is not there never lands; opening one that is there changes nothing.
 */
async function openOutput(
  deps: MarketSwapDeps,
  payer: TransactionSigner,
  token: TokenInfo,
  owner: PublicKey,
): Promise<void> {
  const { rpc, sleep, settings } = deps;
  const address = tokenAccountOf(token, owner).toBase58();
  const said = await rpc.accountTestimonies([address], 'confirmed');
  if (said.agreed(address, (account) => account?.owner.equals(token.tokenProgram) ?? false)) return;
  const opening = createTokenAccount(payer.publicKey, token, owner);
  const lander = { rpc, payer, sleep, computeUnitPrice: settings.computeUnitPrice, pollMs: OPENING_POLL_MS };
  await whileAlive(deps, land(lander, [opening], TOKEN_ACCOUNT_COMPUTE_UNITS));
}

/** Sends one transaction as a bundle, so that nobody sees it before it has landed. A send that fails is no verdict. */
export async function sendAsBundle({ relay, logger }: MarketSwapDeps, wire: Uint8Array): Promise<void> {
  try {
    const { bundleId } = await relay.sendBundle([wire]);
    logger.info({ bundleId }, 'swap sent as a bundle');
  } catch (error) {
    if (!(error instanceof BundleSendError)) throw error;
    logger.warn({ err: error, outcome: error.outcome }, 'a swap’s bundle was not taken');
  }
}

/** Any will do; the choice spreads the load on them. */
async function tipAccount(relay: BundleRelay): Promise<PublicKey> {
  const accounts = await relay.tipAccounts();
  const account = accounts[Math.floor(Math.random() * accounts.length)];
  if (!account) throw new Error('the block engine names no tip account');
  return account;
}
