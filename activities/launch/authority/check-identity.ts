import { PublicKey } from '@solana/web3.js';
import { checkSignedPayment } from '../../../chain/launch/check-payment.ts';
import { buildPayment } from '../../../chain/launch/payment.ts';
import { BLOCKHASH_BLOCKS } from '../../../chain/rpc/block-at.ts';
import { deriveLaunchAddresses } from '../../../chain/keys/launch-keys.ts';
import * as receipts from '../../../db/launch/receipts.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import type { TermsDocument } from '../../../domain/launch/terms-document.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

export function checkIdentity(
  { context, seeds }: Pick<LaunchDeps, 'context' | 'seeds'>,
  { quoteId, terms }: LaunchRecord,
): void {
  assertSame('quote id', terms.quoteId, quoteId);
  assertSame('environment', terms.environment, context.environment);
  assertSame('genesis hash', terms.genesisHash, context.genesisHash);
  const seed = seeds.find(({ id }) => id === terms.seedId);
  if (!seed) throw new ProposalRefusedError(`LAUNCH_SEEDS has no seed "${terms.seedId}"`);
  const own = deriveLaunchAddresses(seed, context, quoteId);
  const spelt = ({ launchWallet, mint, positionMints, feeKeyMints }: LaunchTerms['addresses']) =>
    [launchWallet, mint, ...positionMints, ...feeKeyMints].join(' ');
  assertSame('addresses', spelt(terms.addresses), spelt(own));
}

export function checkPayment({ terms, submittedWire }: LaunchRecord): void {
  const message = issuedMessage(terms, terms.payment.blockhash);
  assertSame('payment message', terms.payment.message, message);
  checkSignedPayment(message, Buffer.from(submittedWire).toString('base64'));
}

/** The payment's message as prepare issued it, base64. */
export function issuedMessage(terms: TermsDocument, blockhash: string): string {
  const { message } = buildPayment({
    quoteId: terms.quoteId,
    creator: new PublicKey(terms.creator),
    launchWallet: new PublicKey(terms.addresses.launchWallet),
    feeRecipient: feeRecipientOf(terms),
    lamports: BigInt(terms.payment.lamports),
    blockhash,
    computeUnitPrice: BigInt(terms.network.computeUnitPrice),
  });
  return Buffer.from(message.serialize()).toString('base64');
}

/** Null for the creator. Refuses what can never be right; the API asks the chain about the recipient as well. */
function feeRecipientOf({ feeRecipient, fee }: Pick<LaunchTerms, 'feeRecipient' | 'fee'>): PublicKey | null {
  if (feeRecipient === undefined) return null;
  const recipient = new PublicKey(feeRecipient);
  if (fee.mode === 'reward') throw new ProposalRefusedError('a reward launch has no feeRecipient');
  if (!PublicKey.isOnCurve(recipient.toBytes())) {
    throw new ProposalRefusedError(`feeRecipient ${feeRecipient} is off the curve, so no key could sign a claim`);
  }
  return recipient;
}

/**
 * Checks that the blockhash and its last valid height are those of the block at its slot. A later height would keep a
 * launch open for ever; an earlier one would call a payment dead that can land.
 */
export async function checkBlockhash({ rpc }: LaunchDeps, { terms: { payment } }: LaunchRecord): Promise<void> {
  const block = await rpc.blockAt(payment.blockhashSlot);
  assertSame('blockhash', payment.blockhash, block.blockhash);
  assertSame(
    'last valid block height',
    String(payment.lastValidBlockHeight),
    String(block.blockHeight + BLOCKHASH_BLOCKS),
  );
}

/** A quote that was signed as not charged is never launched. */
export async function checkUnsettled({ db }: Pick<LaunchDeps, 'db'>, { quoteId }: LaunchRecord): Promise<void> {
  const kept = await receipts.byQuoteId(db, quoteId);
  if (kept !== null) throw new ProposalRefusedError(`quote ${quoteId} has a receipt: ${kept.kind}`);
}
