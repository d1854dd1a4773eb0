import { createAssociatedTokenAccountIdempotentInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import type { Keypair, PublicKey, VersionedMessage } from '@solana/web3.js';
import { claimPurpose } from '../../domain/claim/purpose.ts';
import type { Claimable, Exchange, PoolState, TokenInfo } from '../exchange/exchange.ts';
import { readTokens } from '../tokens/token-info.ts';
import { compileTransaction } from '../transactions/compile.ts';
import { memoInstruction } from '../transactions/memo.ts';
import type { Rpc } from '../rpc/rpc.ts';
import { advanceNonce } from './nonce-account.ts';

/** What claims are read and built with. */
export interface ClaimChain {
  readonly rpc: Pick<Rpc, 'connection'>;
  readonly exchange: Exchange;
}

/** The position whose fees are claimed. */
export interface ClaimPosition {
  readonly mint: PublicKey;
  readonly quoteMint: PublicKey;
  readonly pool: PublicKey;
  readonly feeKeyMint: PublicKey;
}

/** A position as it stands: its pool, its tokens, what may be claimed and who may claim it. */
export interface PositionFees {
  readonly position: ClaimPosition;
  readonly state: PoolState;
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly claimable: Claimable;
  /** Present holder of the Fee Key; null where it lies in no account. */
  readonly holder: PublicKey | null;
}

/** A claim to build. */
export interface ClaimRequest {
  readonly intentId: string;
  /** Fee payer, and the wallet whose accounts are paid. */
  readonly wallet: PublicKey;
  readonly nonceAccount: PublicKey;
  /** The platform wallet, which alone may advance the nonce. */
  readonly authority: PublicKey;
  /** Present value of the nonce, base58. */
  readonly nonce: string;
}

/** A claim's message, and the keys of the adapter itself that must sign it (none on a real exchange). */
export interface BuiltClaim {
  readonly message: VersionedMessage;
  readonly exchangeSigners: readonly Keypair[];
}

/** Priority fee of a claim in micro-lamports per compute unit; the creator pays it. */
const CLAIM_COMPUTE_UNIT_PRICE = 50_000n;
/** Making an associated token account takes at most so many. */
const ACCOUNT_COMPUTE_UNITS = 40_000;
/** The nonce's advance and the memo. */
const FRAME_COMPUTE_UNITS = 15_000;

/** Reads a position at `confirmed`. Throws when pool, position or a mint is not on the chain. */
export async function readPositionFees(chain: ClaimChain, position: ClaimPosition): Promise<PositionFees> {
  const { exchange, rpc } = chain;
  const { pool, feeKeyMint, mint, quoteMint } = position;
  const [state, locked, [base, quote]] = await Promise.all([
    exchange.readPool(pool),
    exchange.readLockedPosition(pool, feeKeyMint),
    readTokens(rpc.connection, [mint, quoteMint]),
  ]);
  if (!state || !locked || !base || !quote) {
    throw new Error(`pool ${pool.toBase58()}, its position or a mint of it is not on the chain`);
  }
  // Of this very state: after a trade in between, what is announced would not be what the transaction collects.
  const claimable = await exchange.readClaimable(pool, feeKeyMint, state);
  return { position, state, base, quote, claimable, holder: locked.holder };
}

/** True where a claim would bring nothing. */
export function isEmpty({ baseRaw, quoteRaw }: Claimable): boolean {
  return baseRaw === 0n && quoteRaw === 0n;
}

/**
 * Builds the one transaction of a claim, unsigned: the nonce's advance first, then the wallet's token accounts where they
 * are missing, the harvest, and the memo with the intent. The same position, nonce and intent always give the same bytes.
 * Without the platform's signature as the nonce's authority nobody can make it land.
 */
export async function buildClaim(chain: ClaimChain, fees: PositionFees, request: ClaimRequest): Promise<BuiltClaim> {
  const { base, quote, state, position } = fees;
  const { wallet, authority, nonceAccount, nonce, intentId } = request;
  const [baseAccount, quoteAccount] = [accountOf(base, wallet), accountOf(quote, wallet)];
  const harvest = await chain.exchange.buildHarvest({
    ...{ pool: state, base, quote, feeKeyMint: position.feeKeyMint, holder: wallet, baseAccount, quoteAccount },
  });
  const { message } = compileTransaction({
    payer: wallet,
    blockhash: nonce,
    first: advanceNonce(nonceAccount, authority),
    instructions: [
      openAccount(base, wallet, baseAccount),
      openAccount(quote, wallet, quoteAccount),
      ...harvest.instructions,
      memoInstruction(claimPurpose(intentId)),
    ],
    computeUnits: harvest.computeUnits + 2 * ACCOUNT_COMPUTE_UNITS + FRAME_COMPUTE_UNITS,
    computeUnitPrice: CLAIM_COMPUTE_UNIT_PRICE,
  });
  return { message, exchangeSigners: harvest.signers };
}

function accountOf({ mint, tokenProgram }: TokenInfo, wallet: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(mint, wallet, true, tokenProgram);
}

function openAccount({ mint, tokenProgram }: TokenInfo, wallet: PublicKey, account: PublicKey) {
  return createAssociatedTokenAccountIdempotentInstruction(wallet, account, wallet, mint, tokenProgram);
}
