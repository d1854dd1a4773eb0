import { hasBegun } from '../../chain/launch/has-begun.ts';
import { memosOf } from '../../chain/launch/own-launch.ts';
import { termsKeyIn } from '../../chain/launch/terms-memo.ts';
import { buildMetadata } from '../../chain/storage/metadata.ts';
import * as launches from '../../db/launch/launches.ts';
import { beginStoring } from '../../db/launch/unpaid-files.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { AppError } from '../../domain/errors.ts';
import { lostRecipients, readRecipients } from '../airdrop/recipients.ts';
import { readBundle } from './bundle-rows.ts';
import type { LaunchDeps } from './deps.ts';
import { giveUpUnsent } from './give-up-unsent.ts';
import { sendFirst } from './land.ts';
import { storedTerms } from './stored-terms.ts';
import { inState } from '../../domain/in-state.ts';

/** Time for which failing uploads are retried, ms: one try may last 35 s, and a user waits. */
const TRY_FOR_MS = 5_000;

const TRY_AGAIN_MS = 1_000;

/** Stores the metadata and sends the bundle in one step, so that sending waits for no further step. */
export async function storeAndSend(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (await storeMetadata(deps, launch)) await sendFirst(deps, launch);
}

/**
 * Stores logo, metadata and recipients under the URIs fixed at prepare; content-addressed, so a repeat changes
 * nothing. Runs after the simulation: clients without funds cannot fill the store. A store that stays away, or a
 * creator with too many unpaid stored launches, ends the launch before sending. Returns whether everything is stored.
 */
async function storeMetadata(deps: LaunchDeps, launch: LaunchRecord): Promise<boolean> {
  if (!inState(launch, 'preparing')) return false;
  const failure = (await refusalOf(deps, launch)) ?? (await failureOf(deps, launch));
  if (failure === undefined) return true;
  deps.logger.warn({ err: failure }, 'logo and metadata could not be stored');
  // In a restored database a landed bundle looks unsent; the next step finds it on the chain.
  if (await hasBegun(deps.rpc, launch.terms, deps.now())) return false;
  await giveUpUnsent(deps, launch.quoteId, await readBundle(deps.db, launch.quoteId), failure.message);
  return false;
}

/** Records that storing begins, or returns why it must not: permanent storage costs the platform, paid or not. */
async function refusalOf({ db, unpaidFiles }: LaunchDeps, { quoteId }: LaunchRecord): Promise<AppError | undefined> {
  const reached = await beginStoring(db, quoteId, unpaidFiles);
  if (!reached) return undefined;
  const who = { creator: `wallet ${reached.key}`, client: 'your network address', clientNetwork: 'your network' }[
    reached.whose
  ];
  return new AppError(
    'service_unavailable',
    `the files of ${reached.limit} launches of ${who} were stored within 24 hours and not paid; launch again tomorrow`,
  );
}

/** Undefined if the store has the files. */
async function failureOf(deps: LaunchDeps, launch: LaunchRecord): Promise<AppError | undefined> {
  const startedAt = deps.now().getTime();
  for (;;) {
    try {
      await store(deps, launch);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) throw error;
      if (deps.now().getTime() - startedAt > TRY_FOR_MS) return error;
      await deps.sleep(TRY_AGAIN_MS);
    }
  }
}

async function store(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  await Promise.all([storeFiles(deps, launch), storeRecipients(deps, launch), storeTerms(deps, launch)]);
}

async function storeFiles(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  const { name, symbol, links, logoType } = terms;
  const logo = await logoOf(deps, quoteId);
  // The address follows from the bytes: the metadata can name a logo that is still being stored.
  const metadata = buildMetadata({ name, symbol, links, logoType, logoUri: deps.store.uriOf(logo, logoType) });
  const [, uri] = await Promise.all([deps.store.put(logo, logoType), deps.store.put(metadata, 'application/json')]);
  if (uri !== terms.metadataUri) {
    throw new Error(`metadata of launch ${quoteId} has URI ${uri}, sealed was ${terms.metadataUri}`);
  }
}

/** Public: anyone can verify the recipients, and a restored database gets them back. */
async function storeRecipients(deps: LaunchDeps, { terms: { airdrop } }: LaunchRecord): Promise<void> {
  if (!airdrop) return;
  const sealed = await readRecipients(deps.db, airdrop);
  if (!sealed) throw new AppError('service_unavailable', lostRecipients(airdrop));
  await deps.store.put(sealed.document, 'application/json');
}

/** Public: the fourth transaction names them, and a restored database gets the launch back by them. */
async function storeTerms({ db, store }: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  const [document, bundle] = await Promise.all([storedTerms({ db, store }, terms), readBundle(db, quoteId)]);
  const named = termsKeyIn(bundle.flatMap(({ wire }) => memosOf(wire)));
  // Bundles of release 0.1.0 name none.
  if (named !== null && named !== store.keyOf(document)) {
    throw new Error(`the signed bundle of launch ${quoteId} names other terms than its own in the store: ${named}`);
  }
  await store.put(document, 'application/json');
}

export async function storedLogoUri(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<string> {
  return deps.store.uriOf(await logoOf(deps, quoteId), terms.logoType);
}

async function logoOf(deps: LaunchDeps, quoteId: string): Promise<Uint8Array> {
  const logo = await launches.logo(deps.db, quoteId);
  if (!logo) throw new Error(`the logo of launch ${quoteId} is not in the database`);
  return logo.bytes;
}
