import { openRecipients } from '../../chain/airdrop/recipient-hash.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { Db } from '../../db/connect.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import type { RecipientSet } from '../../domain/airdrop/recipient-set.ts';

export interface SealedRecipients {
  readonly set: RecipientSet;
  readonly document: Uint8Array;
}

/**
 * Null if the database lacks them (restored from before the quote). Throws when the stored document does not match the
 * hash.
 */
export async function readRecipients(db: Db, { recipientsHash }: AirdropTerms): Promise<SealedRecipients | null> {
  const document = await recipientSets.byHash(db, recipientsHash);
  return document && { document, set: openRecipients(recipientsHash, document) };
}

export function lostRecipients({ recipientsHash }: AirdropTerms): string {
  return `the recipients ${recipientsHash} are not in the database; "ops airdrops restore-recipients" puts them back`;
}
