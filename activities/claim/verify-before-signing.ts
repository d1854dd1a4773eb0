import { type Connection, PublicKey, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type BuiltClaim, buildClaim } from '../../chain/claim/claim-transaction.ts';
import {
  type PositionAddresses,
  type PositionChain,
  isEmpty,
  type PositionFees,
  readPositionFees,
} from '../../chain/exchange/position-fees.ts';
import { isValidSignature } from '../../chain/transactions/verify.ts';
import type { ClaimIntent } from '../../db/claim/claims.ts';
import * as tokens from '../../db/tokens.ts';
import type { ClaimRefusal } from '../../domain/claim/state.ts';
import type { ClaimDeps } from './deps.ts';

/** Network fee, priority fee and the rent of two token accounts take less, in lamports. */
const POOR_LAMPORTS = 5_000_000;

/** Why the platform must not sign. */
export interface Refused {
  readonly refusal: ClaimRefusal;
  /** For people. */
  readonly reason: string;
}

/** What the platform found before signing: the transaction to sign, or why it must not. */
export type Verification = { readonly ok: true; readonly claim: BuiltClaim } | ({ readonly ok: false } & Refused);

/**
 * Everything that must hold before the platform signs a claim whose nonce nothing has advanced: the creator's signature over
 * the issued bytes, the Fee Key in the creator's hands, something to claim, an unchanged transaction, and a simulation that
 * succeeds. The node gets the transaction without signatures: no RPC provider holds a
 * claim before it is decided.
 */
export async function verifyClaim(deps: ClaimDeps, intent: ClaimIntent): Promise<Verification> {
  const { message, signature, wallet } = intent;
  const creator = new PublicKey(wallet);
  if (signature === null || !isValidSignature(bs58.decode(signature), message, creator)) {
    return refuse('conflict', 'the submitted signature is not the wallet’s');
  }
  const position = await positionOf(deps, intent);
  // A refusal ends the claim, so that it is not one endpoint's word.
  const verified = await deps.rpc.borneOut(
    (connection) => verifyAt(deps, connection, intent, position),
    ({ ok }) => (ok ? 'success' : 'refusal'),
  );
  return verified.ok ? simulate(deps, intent, verified) : verified;
}

/** By what one endpoint has of the position. */
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

/** The claim is built anew, for the adapter's own keys; whatever is not the issued bytes is not signed. */
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
    authority: platform.publicKey,
    wallet: new PublicKey(intent.wallet),
    nonceAccount: new PublicKey(intent.nonceAccount),
  });
  if (!Buffer.from(message).equals(claim.message.serialize())) {
    return refuse('conflict', 'the pool has moved on since this claim was prepared');
  }
  return { ok: true, claim };
}

/** What holds so far, if the claim would land. */
async function simulate(deps: ClaimDeps, intent: ClaimIntent, verified: Verification): Promise<Verification> {
  const unsigned = new VersionedTransaction(VersionedMessage.deserialize(intent.message)).serialize();
  const simulation = await deps.rpc.simulateTransaction(unsigned, { verifySignatures: false });
  if (simulation.err === null) return verified;
  deps.logger.warn({ err: simulation.err, logs: simulation.logs }, 'claim simulation failed');
  return refuse('conflict', await failureText(deps, intent, simulation.err));
}

/** Wallets without SOL are the usual reason; the chain's own word for them helps nobody. */
async function failureText({ rpc }: ClaimDeps, { wallet }: ClaimIntent, err: unknown): Promise<string> {
  const lamports = await rpc.connection.getBalance(new PublicKey(wallet), 'confirmed');
  if (lamports < POOR_LAMPORTS) {
    return `wallet ${wallet} holds ${lamports} lamports, too little for the network fee and the rent of its token accounts`;
  }
  return `the claim would fail: ${JSON.stringify(err)}`;
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
