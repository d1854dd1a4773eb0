import { randomUUID } from 'node:crypto';
import { PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import { type BuiltClaim, buildClaim } from '../../chain/claim/claim-transaction.ts';
import type { PositionFees } from '../../chain/exchange/position-fees.ts';
import { NEAR_SLOTS } from '../../chain/rpc/head.ts';
import { RpcUnavailableError } from '../../chain/rpc/json-rpc.ts';
import { type NonceState, readNonce } from '../../chain/claim/nonce-account.ts';
import * as claimNonces from '../../db/claim/claim-nonces.ts';
import type { ClaimNonce } from '../../db/claim/claim-nonces.ts';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import { AppError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { ClaimStarter } from './claim-starter.ts';

/** What issuing a claim uses. Nothing here can sign or move anything. */
export type IssueDeps = Pick<ApiDeps, 'db' | 'launching' | 'config'> & { readonly starter: ClaimStarter };

/** A wallet's wish to claim a position. */
export interface ClaimWish {
  readonly wallet: PublicKey;
  readonly fees: PositionFees;
}

/** An issued claim and its unsigned transaction, base64. */
export interface IssuedClaim {
  readonly intent: ClaimIntent;
  readonly transaction: string;
}

interface LiveNonce {
  readonly row: ClaimNonce;
  readonly state: NonceState;
}

/** So many times the validity after it was first issued, an open intent is not issued again: its workflow has to end. */
const MOST_VALIDITIES = 20;

/**
 * Issues a claim: the open one of this mint and wallet as long as building it anew gives the same bytes, with its time
 * started anew, else a new one. Either way what is answered is valid for the whole published time.
 * A wallet without the Fee Key gets a row and a transaction, but no workflow: its transaction can never become valid.
 */
export async function issueClaim(deps: IssueDeps, wish: ClaimWish): Promise<IssuedClaim> {
  const nonce = await readyNonce(deps, wish.fees.position.mint.toBase58());
  const intent = (await findOpen(deps, wish, nonce)) ?? (await issueNew(deps, wish, nonce));
  if (intent.holdsFeeKey) await deps.starter.start(intent.intentId);
  return { intent, transaction: unsigned(intent) };
}

/** The launch's nonce as it stands; it is made when the first claim of the launch is prepared. */
async function readyNonce(deps: IssueDeps, mint: string): Promise<LiveNonce> {
  const known = await readLive(deps, mint);
  if (known) return known;
  try {
    await deps.starter.nonceReady(mint, deps.config.submitWaitMs);
  } catch (cause) {
    throw notSetUp(cause);
  }
  const made = await readLive(deps, mint);
  if (made) return made;
  throw notSetUp(undefined);
}

/** Whatever it is that the nonce waits for (funds, chain, worker), it is ours to repair and prepare works after that. */
function notSetUp(cause: unknown): AppError {
  const message = 'this launch’s claims are not set up yet; prepare again';
  return new AppError('service_unavailable', message, { retryAfterSeconds: 5, cause });
}

async function readLive({ db, launching }: IssueDeps, mint: string): Promise<LiveNonce | null> {
  const row = await claimNonces.byMint(db, mint);
  const state = row && (await readNonce(launching.rpc, new PublicKey(row.nonceAccount)));
  return row && state?.authority === row.authority ? { row, state } : null;
}

async function findOpen(deps: IssueDeps, wish: ClaimWish, nonce: LiveNonce): Promise<ClaimIntent | null> {
  const { claimValidMs: validMs } = deps.config;
  const { position, claimable } = wish.fees;
  const open = claims.openOf(deps.db, position.mint.toBase58(), wish.wallet.toBase58(), validMs * MOST_VALIDITIES);
  for (const intent of await open) {
    if (intent.holdsFeeKey !== holdsFeeKey(wish)) continue;
    const { message } = await build(deps, wish, nonce, intent.intentId);
    const renewed = intent.message.equals(message.serialize())
      ? await claims.renew(deps.db, intent.intentId, { validMs, ...claimable })
      : null;
    if (renewed) return renewed;
  }
  return null;
}

async function issueNew(deps: IssueDeps, wish: ClaimWish, nonce: LiveNonce): Promise<ClaimIntent> {
  const intentId = randomUUID();
  const { message } = await build(deps, wish, nonce, intentId);
  const { position, claimable } = wish.fees;
  await assertRecent(deps, nonce.state.slot);
  return claims.issue(deps.db, {
    intentId,
    mint: position.mint.toBase58(),
    wallet: wish.wallet.toBase58(),
    feeKeyMint: position.feeKeyMint.toBase58(),
    nonceAccount: nonce.row.nonceAccount,
    nonce: nonce.state.nonce,
    issuedSlot: BigInt(nonce.state.slot),
    message: message.serialize(),
    ...claimable,
    holdsFeeKey: holdsFeeKey(wish),
    validMs: deps.config.claimValidMs,
  });
}

/** From this slot on it is proven one day what became of the claim: endpoints do not reach back for ever. */
async function assertRecent({ launching: { rpc } }: IssueDeps, slot: number): Promise<void> {
  const reached = rpc.quorum === 1 ? slot : await rpc.reachedSlot('confirmed');
  if (slot >= reached - NEAR_SLOTS) return;
  throw new RpcUnavailableError(`an RPC endpoint has the nonce as of slot ${slot}, the others are at ${reached}`);
}

function build({ launching }: IssueDeps, { wallet, fees }: ClaimWish, nonce: LiveNonce, intentId: string) {
  const { row, state } = nonce;
  return buildClaim(launching, fees, {
    intentId,
    wallet,
    nonce: state.nonce,
    nonceAccount: new PublicKey(row.nonceAccount),
    authority: new PublicKey(row.authority),
  }) satisfies Promise<BuiltClaim>;
}

function holdsFeeKey({ wallet, fees }: ClaimWish): boolean {
  return fees.holder?.equals(wallet) ?? false;
}

function unsigned({ message }: ClaimIntent): string {
  return Buffer.from(new VersionedTransaction(VersionedMessage.deserialize(message)).serialize()).toString('base64');
}
