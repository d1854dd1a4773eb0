import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { Db } from '../../db/connect.ts';
import type { AirdropTerms, LaunchTerms } from '../../domain/launch/terms.ts';
import { termsDocument } from '../../domain/launch/terms-document.ts';
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
  return termsDocument(terms, terms.airdrop ? await recipientsUri(deps, terms.airdrop) : undefined);
}

async function recipientsUri({ db, store }: StoredTermsDeps, airdrop: AirdropTerms): Promise<string> {
  const sealed = await readRecipients(db, airdrop);
  if (sealed) return store.uriOf(sealed.document, 'application/json');
  throw new RangeError(lostRecipients(airdrop));
}
