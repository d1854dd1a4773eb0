import { type Connection, PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { openedAccounts } from '../../chain/claim/claim-accounts.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { type BuiltClaim, buildClaim } from '../../chain/claim/claim-transaction.ts';
import {
  type PositionAddresses,
  type PositionChain,
  isEmpty,
  type PositionFees,
  readPositionFees,
} from '../../chain/exchange/position-fees.ts';
import { isValidSignature } from '../../chain/transactions/verify.ts';
import { associatedAccountBytes } from '../../chain/tokens/associated-account-bytes.ts';
import { assertSignedAsIssued, networkFeeOfMessage } from '../../chain/transactions/wallet-changes.ts';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import * as tokens from '../../db/tokens.ts';
import { claimShortageOf } from '../../domain/claim/shortage.ts';
import type { ClaimRefusal } from '../../domain/claim/state.ts';
import { AppError } from '../../domain/errors.ts';
import type { ClaimDeps } from './deps.ts';

/** Reason of a refusal: another build of the claim is due. The creator prepares again. */
export const POOL_MOVED_ON = 'the pool has moved on since this claim was prepared';

const WALLET_BYTES = 0;

export interface Refused {
  readonly refusal: ClaimRefusal;
  /** Shown to users. */
  readonly reason: string;
}

interface VerifiedClaim {
  readonly ok: true;
  readonly claim: BuiltClaim;
  readonly fees: PositionFees;
}

export type Verification = VerifiedClaim | ({ readonly ok: false } & Refused);

/**
 * Checks all that must hold before the platform signs, simulating without signatures, so that no RPC provider holds a
 * claim before the decision: - the creator's signature over the issued message, or over a change that wallets may make;
 * - the creator holds the Fee Key, and there is something to claim; - the transaction is unchanged and its simulation
 * succeeds.
 */
export async function verifyClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<Verification> {
  const { signature, wallet } = intent;
  const creator = new PublicKey(wallet);
  if (signature === null || !isValidSignature(bs58.decode(signature), claims.signedMessageOf(intent), creator)) {
    return refuse('conflict', 'the submitted signature is not the wallet’s');
  }
  const position = await positionOf(deps, intent);
  // A refusal ends the claim, so it needs a quorum.
  const verified = await deps.rpc.confirmedByQuorum(
    (connection) => verifyAt(deps, connection, intent, position),
    ({ ok }) => (ok ? 'success' : 'refusal'),
  );
  return verified.ok ? simulate(deps, intent, verified) : verified;
}

async function verifyAt(
  deps: ClaimDeps,
  connection: Connection,
  intent: ClaimIntent,
  position: PositionAddresses,
): Promise<Verification> {
  const chain = { exchange: deps.exchangeAt(connection), rpc: { connection } };
  const fees = await readPositionFees(chain, position);
  const creator = new PublicKey(intent.wallet);
  if (!fees.holder?.equals(creator)) return refuse('forbidden', 'the wallet does not hold the Fee Key of this launch');
  if (isEmpty(fees.claimable)) return refuse('conflict', 'nothing is left to claim');
  return rebuild(deps, chain, intent, fees);
}

/** Rebuilds the claim and compares it with the issued bytes: only those are signed. */
async function rebuild(
  { platform }: ClaimDeps,
  chain: PositionChain,
  intent: ClaimIntent,
  fees: PositionFees,
): Promise<Verification> {
  const { intentId, nonce, message } = intent;
  const claim = await buildClaim(chain, fees, {
    intentId,
    nonce,
    opens: openedAccounts(VersionedMessage.deserialize(message)),
    authority: platform.publicKey,
    wallet: new PublicKey(intent.wallet),
    nonceAccount: new PublicKey(intent.nonceAccount),
  });
  if (!Buffer.from(message).equals(claim.message.serialize())) {
    return refuse('conflict', POOL_MOVED_ON);
  }
  const difference = changeOf(claim, intent);
  if (difference !== null) return refuse('conflict', `the submitted claim ${difference}`);
  return { ok: true, claim, fees };
}

function changeOf({ message }: BuiltClaim, intent: ClaimIntent): string | null {
  try {
    const signed = VersionedMessage.deserialize(claims.signedMessageOf(intent));
    assertSignedAsIssued(message, signed, (what) => new AppError('conflict', what));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

async function simulate(deps: ClaimDeps, intent: ClaimIntent, verified: VerifiedClaim): Promise<Verification> {
  const unsigned = new VersionedTransaction(VersionedMessage.deserialize(claims.signedMessageOf(intent))).serialize();
  const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false });
  if (simulation.err === null) return verified;
  deps.logger.warn({ err: simulation.err, logs: simulation.logs }, 'claim simulation failed');
  return refuse('conflict', await failureText(deps, intent, verified.fees));
}

/** Explains a failed simulation: usually the wallet has no SOL, which the chain's error does not tell the user. */
async function failureText(
  { rpc }: ClaimDeps,
  intent: ClaimIntent,
  { base, quote }: Pick<PositionFees, 'base' | 'quote'>,
): Promise<string> {
  const wallet = new PublicKey(intent.wallet);
  const message = VersionedMessage.deserialize(claims.signedMessageOf(intent));
  const opened = openedAccounts(message);
  const tokens = [base, quote].filter((token) =>
    opened.some((account) => account.equals(tokenAccountOf(token, wallet))),
  );
  const shortage = claimShortageOf({
    wallet: intent.wallet,
    held: BigInt(await rpc.connection.getBalance(wallet, 'confirmed')),
    networkFee: networkFeeOfMessage(message),
    accountRents: await Promise.all(tokens.map((token) => rpc.agreedRent(associatedAccountBytes(token)))),
    walletRent: await rpc.agreedRent(WALLET_BYTES),
  });
  return shortage ?? 'the claim would fail on the chain: its fees or a token account changed since; prepare again';
}

async function positionOf({ db }: ClaimDeps, { mint, feeKeyMint }: ClaimIntent): Promise<PositionAddresses> {
  const token = await tokens.byMint(db, mint);
  if (!token) throw new Error(`token ${mint} of a claim is not in the database`);
  const [base, quote, pool, key] = [mint, token.quoteMint, token.pool, feeKeyMint].map((one) => new PublicKey(one));
  return { mint: base!, quoteMint: quote!, pool: pool!, feeKeyMint: key! };
}

function refuse(refusal: ClaimRefusal, reason: string): Verification {
  return { ok: false, refusal, reason };
}
