import { isDeepStrictEqual } from 'node:util';
import { VersionedTransaction } from '@solana/web3.js';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { issuedMessage } from './authority/check-identity.ts';
import { checkSignedPayment } from '../../chain/launch/check-payment.ts';
import { type OwnLaunch, ownLaunch } from '../../chain/launch/own-launch.ts';
import { openRecipients } from '../../chain/airdrop/recipient-hash.ts';
import type { LandedTransaction } from '../../chain/rpc/transactions.ts';
import { logoHash } from '../../chain/storage/logo.ts';
import type { Db } from '../../db/connect.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as unknownWork from '../../db/money/unknown-work.ts';
import type { UnknownWork } from '../../db/money/unknown-work.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { parseTermsDocument, type TermsDocument, wholeTerms } from '../../domain/launch/terms-document.ts';
import { type HistoryDeps, paymentOf } from './find-unknown.ts';
import { provenOrRefused, RemedyRefusedError } from '../money/remedies/refused.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Takes a launch that a restored database forgot in again, from its stored terms and its payment on the chain. Its
 * workflow then records what landed, as after a repeated submit. Returns what was done.
 *
 * @throws RemedyRefusedError for a launch without stored terms, and where the chain or the store contradicts them
 */
export async function adoptUnknownLaunch(deps: LaunchDeps, subject: string): Promise<string> {
  const found = await unknownWork.bySubject(deps.db, subject);
  if (!found?.quoteId) throw new RemedyRefusedError(`${subject} is not among the launches that are unknown`);
  const { quoteId } = found;
  const seeds = deps.seeds.filter(({ id }) => id === found.seedId);
  const launch = ownLaunch({ seeds, context: deps.context }, quoteId, () => true);
  if (!launch) throw new RemedyRefusedError(`LAUNCH_SEEDS has no seed "${found.seedId}" of launch ${quoteId}`);
  const terms = await termsOf(deps, found, launch);
  const payment = await provenOrRefused(() => paymentOf(historyDepsOf(deps), launch, Number(found.slot)));
  if (!payment) throw new RemedyRefusedError(`the payment of launch ${quoteId} is not in the history of its wallet`);
  await keepRecipients(deps, terms);
  await intake(deps, whole(terms, payment), payment);
  return `launch ${quoteId} is in the database again; its workflow records mint ${found.mint}`;
}

function historyDepsOf({ db, rpc, builder: { platform, treasury } }: LaunchDeps): HistoryDeps {
  return { db, rpc, wallets: { platform: platform.publicKey, treasury: treasury.publicKey } };
}

async function termsOf({ store }: LaunchDeps, { quoteId, termsKey }: UnknownWork, { addresses }: OwnLaunch) {
  if (termsKey === null) {
    throw new RemedyRefusedError(
      `launch ${quoteId} has no stored terms: its creator submits it again, or "ops launches adopt --submission FILE" does`,
    );
  }
  const uri = store.uriAt(termsKey);
  const bytes = await store.get(uri, 'application/json');
  if (!bytes) throw new RemedyRefusedError(`the terms of launch ${quoteId} are not in the permanent store: ${uri}`);
  const terms = parseTermsDocument(bytes);
  if (terms.quoteId === quoteId && isDeepStrictEqual(terms.addresses, addresses)) return terms;
  throw new RemedyRefusedError(`the terms at ${uri} are of another launch than ${quoteId}`);
}

/** Adds what the payment shows: its blockhash, and the message as it was issued. */
function whole(document: TermsDocument, { wire }: LandedTransaction): LaunchTerms {
  const blockhash = VersionedTransaction.deserialize(wire).message.recentBlockhash;
  return wholeTerms(document, { message: issuedMessage(document, blockhash), blockhash });
}

async function intake(deps: LaunchDeps, terms: LaunchTerms, payment: LandedTransaction): Promise<void> {
  const { signature } = checkSignedPayment(terms.payment.message, Buffer.from(payment.wire).toString('base64'));
  if (signature !== payment.signature)
    throw new RemedyRefusedError(`${payment.signature} was not signed by ${terms.creator}`);
  const logo = await logoOf(deps, terms);
  await insertIntake(deps.db, { terms, signature, wire: payment.wire, logo, clientNetwork: null });
}

const Metadata = Compile(Type.Object({ image: Type.String() }));

async function logoOf({ store }: LaunchDeps, terms: LaunchTerms): Promise<Uint8Array> {
  const { quoteId, metadataUri, logoType } = terms;
  const metadata = await store.get(metadataUri, 'application/json');
  const value: unknown = metadata && JSON.parse(new TextDecoder().decode(metadata));
  const logo = Metadata.Check(value) ? await store.get(value.image, logoType) : null;
  if (logo && logoHash(logo) === (terms.storedLogoHash ?? terms.logoHash)) return logo;
  throw new RemedyRefusedError(
    `the logo of launch ${quoteId} is not in the permanent store, which ${metadataUri} names`,
  );
}

/** Without them the launch is recorded once an operator has put them back. */
async function keepRecipients(deps: LaunchDeps, { quoteId, airdrop, recipientsUri: uri }: TermsDocument) {
  const { db, store, logger } = deps;
  if (!airdrop || uri === undefined || (await recipientSets.byHash(db, airdrop.recipientsHash))) return;
  const document = await store.get(uri, 'application/json');
  if (!document) return logger.warn({ quoteId, uri }, 'the recipients are not in the permanent store');
  openRecipients(airdrop.recipientsHash, document);
  await recipientSets.keep(db, airdrop.recipientsHash, Buffer.from(document));
}

/** The remedy of a finding `launch-unknown`. */
export function adoptionOfLaunches(deps: LaunchDeps) {
  return (own: { readonly db: Db }, subject: string) => adoptUnknownLaunch({ ...deps, db: own.db }, subject);
}
