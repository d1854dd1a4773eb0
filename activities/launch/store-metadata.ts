import { buildMetadata } from '../../chain/storage/metadata.ts';
import { createLaunchRepository } from '../../db/launches.ts';
import type { LaunchRecord } from '../../db/records.ts';
import type { LaunchDeps } from './deps.ts';

/**
 * Stores logo and metadata JSON for ever, under the URIs fixed at prepare. After the simulation, so that nobody without
 * funds fills the store; content-addressed, so that storing again changes nothing.
 */
export async function storeMetadata(deps: LaunchDeps, launch: LaunchRecord): Promise<void> {
  if (launch.state !== 'preparing') return;
  const { terms, quoteId } = launch;
  const { name, symbol, links, logoType } = terms;
  const logo = await logoOf(deps, quoteId);
  // The address follows from the bytes, so the metadata can name it while the logo is still being stored.
  const metadata = buildMetadata({ name, symbol, links, logoType, logoUri: deps.store.uriOf(logo, logoType) });
  const [, uri] = await Promise.all([deps.store.put(logo, logoType), deps.store.put(metadata, 'application/json')]);
  if (uri !== terms.metadataUri) {
    throw new Error(`metadata of launch ${quoteId} has URI ${uri}, sealed was ${terms.metadataUri}`);
  }
}

/** Where the launch's logo lies for ever. */
export async function storedLogoUri(deps: LaunchDeps, { quoteId, terms }: LaunchRecord): Promise<string> {
  return deps.store.uriOf(await logoOf(deps, quoteId), terms.logoType);
}

async function logoOf(deps: LaunchDeps, quoteId: string): Promise<Uint8Array> {
  const logo = await createLaunchRepository(deps.db).logo(quoteId);
  if (!logo) throw new Error(`the logo of launch ${quoteId} is not in the database`);
  return logo.bytes;
}
