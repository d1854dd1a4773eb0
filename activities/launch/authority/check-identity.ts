import { PublicKey } from '@solana/web3.js';
import { checkSignedPayment } from '../../../chain/launch/check-payment.ts';
import { buildPayment } from '../../../chain/launch/payment.ts';
import { BLOCKHASH_BLOCKS } from '../../../chain/rpc/block-at.ts';
import { deriveLaunchAddresses } from '../../../chain/keys/launch-keys.ts';
import type { LaunchRecord } from '../../../db/launch/launch-records.ts';
import type { LaunchTerms } from '../../../domain/launch/terms.ts';
import type { LaunchDeps } from '../deps.ts';
import { assertSame, ProposalRefusedError } from './refuse.ts';

/** A launch belongs to this deployment, and every address of it follows from the worker's own seed and the quote id. */
export function checkIdentity({ context, seeds }: LaunchDeps, { quoteId, terms }: LaunchRecord): void {
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

/** The submitted payment is the one that follows from the terms, signed by its creator, byte by byte. */
export function checkPayment({ settings }: LaunchDeps, { terms, submittedWire }: LaunchRecord): void {
  const { payment, network } = terms;
  const own = buildPayment({
    quoteId: terms.quoteId,
    creator: new PublicKey(terms.creator),
    launchWallet: new PublicKey(terms.addresses.launchWallet),
    lamports: BigInt(payment.lamports),
    blockhash: payment.blockhash,
    computeUnitPrice: network ? BigInt(network.computeUnitPrice) : settings.computeUnitPrice,
  });
  const message = Buffer.from(own.message.serialize()).toString('base64');
  assertSame('payment message', payment.message, message);
  checkSignedPayment(message, Buffer.from(submittedWire).toString('base64'));
}

/**
 * The payment's blockhash is that of the block at its slot, and ends when that says. A later end would keep a launch open for
 * ever; an earlier one would call a payment dead that can still land.
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
