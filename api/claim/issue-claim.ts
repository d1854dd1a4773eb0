import { randomUUID } from 'node:crypto';
import { PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import { missingAccounts } from '../../chain/claim/claim-accounts.ts';
import { type BuiltClaim, buildClaim } from '../../chain/claim/claim-transaction.ts';
import { arrivingOf, type PositionFees } from '../../chain/exchange/position-fees.ts';
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

/** Dependencies that cannot sign or move money. */
export type IssueDeps = Pick<ApiDeps, 'db' | 'launching' | 'config'> & {
  readonly starter: ClaimStarter;
  /** Longest wait for a launch's nonce that is not made yet. */
  readonly nonceWaitMs: number;
};

export interface ClaimWish {
  readonly wallet: PublicKey;
  readonly fees: PositionFees;
}

type AccountedWish = ClaimWish & { readonly missing: readonly PublicKey[] };

export interface IssuedClaim {
  readonly intent: ClaimIntent;
  readonly transaction: string;
}

interface LiveNonce {
  readonly row: ClaimNonce;
  readonly state: NonceState;
}

/** Longest life of an open intent in validities, from its first issue, so that its workflow ends. */
const MOST_VALIDITIES = 20;

/**
 * Reissues the open intent of mint and wallet if rebuilding gives the same bytes. Without the Fee Key a wallet gets a
 * row and a transaction that can never become valid, no workflow.
 */
export async function issueClaim(deps: IssueDeps, wish: ClaimWish): Promise<IssuedClaim> {
  const nonce = await readyNonce(deps, wish.fees.position.mint.toBase58());
  const accounted = { ...wish, missing: await missingAccounts(deps.launching, wish.fees, wish.wallet) };
  const intent = (await findOpen(deps, accounted, nonce)) ?? (await issueNew(deps, accounted, nonce));
  if (intent.holdsFeeKey) await deps.starter.start(intent.intentId);
  return { intent, transaction: unsigned(intent) };
}

/** The first prepared claim creates it. */
async function readyNonce(deps: IssueDeps, mint: string): Promise<LiveNonce> {
  const known = await readLive(deps, mint);
  if (known) return known;
  try {
    await deps.starter.nonceReady(mint, deps.nonceWaitMs);
  } catch (cause) {
    throw notSetUp(cause);
  }
  const made = await readLive(deps, mint);
  if (made) return made;
  throw notSetUp(undefined);
}

/** Error while funds, chain or worker delay the nonce: an operator must look; prepare works afterwards. */
function notSetUp(cause: unknown): AppError {
  const message = 'this launch’s claims are not set up yet; prepare again';
  return new AppError('service_unavailable', message, { retryAfterSeconds: 5, cause });
}

async function readLive({ db, launching }: IssueDeps, mint: string): Promise<LiveNonce | null> {
  const row = await claimNonces.byMint(db, mint);
  const state = row && (await readNonce(launching.rpc, new PublicKey(row.nonceAccount)));
  return row && state?.authority === row.authority ? { row, state } : null;
}

async function findOpen(deps: IssueDeps, wish: AccountedWish, nonce: LiveNonce): Promise<ClaimIntent | null> {
  const { claimValidMs: validMs } = deps.config;
  const { position } = wish.fees;
  const open = claims.openOf(deps.db, position.mint.toBase58(), wish.wallet.toBase58(), validMs * MOST_VALIDITIES);
  for (const intent of await open) {
    if (intent.holdsFeeKey !== holdsFeeKey(wish)) continue;
    const { message } = await build(deps, wish, nonce, intent.intentId);
    const renewed = intent.message.equals(message.serialize())
      ? await claims.renew(deps.db, intent.intentId, { validMs, ...arrivingOf(wish.fees) })
      : null;
    if (renewed) return renewed;
  }
  return null;
}

async function issueNew(deps: IssueDeps, wish: AccountedWish, nonce: LiveNonce): Promise<ClaimIntent> {
  const intentId = randomUUID();
  const { message } = await build(deps, wish, nonce, intentId);
  const { position } = wish.fees;
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
    ...arrivingOf(wish.fees),
    holdsFeeKey: holdsFeeKey(wish),
    validMs: deps.config.claimValidMs,
  });
}

/** The claim's fate must be provable from this slot on, and endpoints keep limited history. */
async function assertRecent({ launching: { rpc } }: IssueDeps, slot: number): Promise<void> {
  const reached = rpc.quorum === 1 ? slot : await rpc.reachedSlot('confirmed');
  if (slot >= reached - NEAR_SLOTS) return;
  throw new RpcUnavailableError(`an RPC endpoint has the nonce as of slot ${slot}, the others are at ${reached}`);
}

async function build(
  { launching }: IssueDeps,
  { wallet, fees, missing }: AccountedWish,
  nonce: LiveNonce,
  intentId: string,
): Promise<BuiltClaim> {
  const { row, state } = nonce;
  return buildClaim(launching, fees, {
    intentId,
    opens: missing,
    wallet,
    nonce: state.nonce,
    nonceAccount: new PublicKey(row.nonceAccount),
    authority: new PublicKey(row.authority),
  });
}

function holdsFeeKey({ wallet, fees }: ClaimWish): boolean {
  return fees.holder?.equals(wallet) ?? false;
}

function unsigned({ message }: ClaimIntent): string {
  return Buffer.from(new VersionedTransaction(VersionedMessage.deserialize(message)).serialize()).toString('base64');
}
