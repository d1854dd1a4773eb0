import { openRecipients } from '../../chain/airdrop/recipient-hash.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { Db } from '../../db/connect.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import type { RecipientSet } from '../../domain/airdrop/recipient-set.ts';

/** The recipients that a quote was sealed with, and the document that says so. */
export interface SealedRecipients {
  readonly set: RecipientSet;
  readonly document: Uint8Array;
}

/**
 * The recipients behind a sealed hash; null where the database does not have them, because it was restored from before the quote.
 * Throws an Error when what is there is something else.
 */
export async function readRecipients(db: Db, { recipientsHash }: AirdropTerms): Promise<SealedRecipients | null> {
  const document = await recipientSets.byHash(db, recipientsHash);
  return document && { document, set: openRecipients(recipientsHash, document) };
}

/** Why an airdrop cannot go on without its recipients, and what an operator does about it. */
export function lostRecipients({ recipientsHash }: AirdropTerms): string {
  return `the recipients ${recipientsHash} are not in the database; "ops airdrops restore-recipients" puts them back`;
}
