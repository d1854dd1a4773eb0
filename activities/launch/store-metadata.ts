import { hasBegun } from '../../chain/launch/has-begun.ts';
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

/** How long the store may be tried again, in ms: a try may last 35 s, and somebody waits. */
const TRY_FOR_MS = 5_000;

/** Pause between two tries, in ms. */
const TRY_AGAIN_MS = 1_000;

/** Stores what a launch needs for ever, and sends its bundle once that lies there: nobody has to take up the next step for it. */
export async function storeAndSend(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (await storeMetadata(deps, launch)) await sendFirst(deps, launch);
}

/**
 * Stores logo, metadata JSON and an airdrop's recipients for ever, under the URIs fixed at prepare. After the simulation, so that nobody without
 * funds fills the store; content-addressed, so that storing again changes nothing. A store that stays away ends the launch
 * before anything is sent, and so does a creator whose files are stored again and again without a payment. Answers whether all of it is
 * stored.
 */
async function storeMetadata(deps: LaunchDeps, launch: LaunchRecord): Promise<boolean> {
  if (launch.state !== 'preparing') return false;
  const failure = (await refusalOf(deps, launch)) ?? (await failureOf(deps, launch));
  if (failure === undefined) return true;
  deps.logger.warn({ err: failure }, 'logo and metadata could not be stored');
  // In a restored database a bundle looks unsent that has landed: then the next step finds it on the chain.
  if (await hasBegun(deps.rpc, launch.terms)) return false;
  await giveUpUnsent(deps, launch.quoteId, await readBundle(deps.db, launch.quoteId), failure.message);
  return false;
}

/** Why nothing may be stored for this creator at present: what is stored for ever costs the platform, whoever pays or not. */
async function refusalOf({ db, unpaidFiles }: LaunchDeps, { quoteId }: LaunchRecord): Promise<AppError | undefined> {
  const reached = await beginStoring(db, quoteId, unpaidFiles);
  if (!reached) return undefined;
  const who = reached.whose === 'creator' ? `wallet ${reached.key}` : 'your network address';
  return new AppError(
    'service_unavailable',
    `the files of ${reached.limit} launches of ${who} were stored within 24 hours and not paid; launch again tomorrow`,
  );
}

/** Why the store could not take the files, the last time it was tried; undefined when it has them. */
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
  await Promise.all([storeFiles(deps, launch), storeRecipients(deps, launch)]);
}

async function storeFiles(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<void> {
  const { name, symbol, links, logoType } = terms;
  const logo = await logoOf(deps, quoteId);
  // The address follows from the bytes, so the metadata can name it while the logo is still being stored.
  const metadata = buildMetadata({ name, symbol, links, logoType, logoUri: deps.store.uriOf(logo, logoType) });
  const [, uri] = await Promise.all([deps.store.put(logo, logoType), deps.store.put(metadata, 'application/json')]);
  if (uri !== terms.metadataUri) {
    throw new Error(`metadata of launch ${quoteId} has URI ${uri}, sealed was ${terms.metadataUri}`);
  }
}

/** Everybody can check who gets an airdrop, and it can be delivered although the database was restored. */
async function storeRecipients(deps: LaunchDeps, { terms: { airdrop } }: LaunchRecord): Promise<void> {
  if (!airdrop) return;
  const sealed = await readRecipients(deps.db, airdrop);
  if (!sealed) throw new AppError('service_unavailable', lostRecipients(airdrop));
  await deps.store.put(sealed.document, 'application/json');
}

/** Where the launch's logo lies for ever. */
export async function storedLogoUri(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<string> {
  return deps.store.uriOf(await logoOf(deps, quoteId), terms.logoType);
}

async function logoOf(deps: LaunchDeps, quoteId: string): Promise<Uint8Array> {
  const logo = await launches.logo(deps.db, quoteId);
  if (!logo) throw new Error(`the logo of launch ${quoteId} is not in the database`);
  return logo.bytes;
}
