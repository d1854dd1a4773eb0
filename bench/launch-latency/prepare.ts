import { launchKeysOf, pickTipAccount } from '../../activities/launch/assemble.ts';
import { buildLaunchSteps, cosignPayment } from '../../chain/launch/bundle.ts';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { checkPayment, keypairSigner } from '../../client/index.ts';
import { signIssued } from '../../client/solana/sign-issued.ts';
import { LANDING } from '../../worker/shared.ts';
import type { Rig } from './rig.ts';

export interface SignedLaunch {
  readonly quoteId: string;
  readonly signedQuote: string;
  /** base64 */
  readonly signedTransaction: string;
}

export interface BareBundle {
  readonly wires: readonly Uint8Array[];
  readonly signatures: readonly string[];
}

/** More than a plain launch costs. */
const MAX_LAMPORTS = 400_000_000n;

export async function prepareLaunch(
  { api, wish, creator }: Pick<Rig, 'api' | 'wish' | 'creator'>,
  maxLamports = MAX_LAMPORTS,
): Promise<SignedLaunch> {
  const quote = await api.ask('POST /launches/prepare', { body: wish });
  const message = checkPayment(quote, wish, { maxLamports });
  const { wire } = await signIssued(keypairSigner(creator), message);
  return { quoteId: quote.quoteId, signedQuote: quote.signedQuote, signedTransaction: wire };
}

export async function buildBareBundle(rig: Rig, launch: SignedLaunch): Promise<BareBundle> {
  const terms = await rig.sealer.open(launch.signedQuote);
  const keys = launchKeysOf(rig, terms);
  const payment = checkSignedPayment(terms.payment.message, launch.signedTransaction);
  const steps = await buildLaunchSteps(rig.builder, terms, keys, {
    ...LANDING,
    blockhash: terms.payment.blockhash,
    tipAccount: await pickTipAccount(rig, terms.quoteId),
  });
  const bundle = [await cosignPayment(terms.quoteId, payment, keys), ...steps];
  return { wires: bundle.map(({ wire }) => wire), signatures: bundle.map(({ signature }) => signature) };
}
