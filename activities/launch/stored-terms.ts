import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { Db } from '../../db/connect.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { parseTermsDocument, termsDocument } from '../../domain/launch/terms-document.ts';
import { lostRecipients, readRecipients } from '../airdrop/recipients.ts';

interface StoredTermsDeps {
  readonly db: Db;
  readonly store: PermanentStore;
}

/**
 * Returns the document of a launch's terms, which names where its recipients lie.
 *
 * @throws RangeError if the database lost the recipients: the bundle, which names the document, cannot be built
 */
export async function storedTerms(deps: StoredTermsDeps, terms: LaunchTerms): Promise<Uint8Array> {
  const uri = await recipientsUri(deps, terms);
  if (terms.airdrop && uri === undefined) throw new RangeError(lostRecipients(terms.airdrop));
  return termsDocument(terms, uri);
}

/** Says whether the document of this key holds these terms. It alone says where recipients lie that the database lost. */
export async function isKeyOf(deps: StoredTermsDeps, key: string, terms: LaunchTerms): Promise<boolean> {
  const known = await recipientsUri(deps, terms);
  const uri = terms.airdrop && known === undefined ? await uriIn(deps.store, key) : known;
  return deps.store.keyOf(termsDocument(terms, uri)) === key;
}

/** Undefined without an airdrop, and where the database lost its recipients. */
async function recipientsUri({ db, store }: StoredTermsDeps, { airdrop }: LaunchTerms): Promise<string | undefined> {
  const sealed = airdrop && (await readRecipients(db, airdrop));
  return sealed ? store.uriOf(sealed.document, 'application/json') : undefined;
}

async function uriIn(store: PermanentStore, key: string): Promise<string | undefined> {
  const document = await store.get(store.uriAt(key), 'application/json');
  if (document === null) throw new Error(`the permanent store lacks the terms ${key}`);
  return parseTermsDocument(document).recipientsUri;
}
