import { createHash } from 'node:crypto';
import { parseRecipientDocument, recipientDocument, type RecipientSet } from '../../domain/airdrop/recipient-set.ts';

/** A frozen set of recipients, as it is hashed and stored. */
export interface FrozenRecipients {
  /** sha256 of `document`, hex: what a quote seals. */
  readonly hash: string;
  readonly document: Buffer;
}

/** Freezes a set: the same set always has the same hash. */
export function freezeRecipients(set: RecipientSet): FrozenRecipients {
  const document = Buffer.from(recipientDocument(set), 'utf8');
  return { hash: hashOf(document), document };
}

/** The set that a quote was sealed with. Throws an Error when the document has another hash or is no recipient set. */
export function openRecipients(hash: string, document: Uint8Array): RecipientSet {
  const actual = hashOf(document);
  if (actual !== hash) throw new Error(`recipients with hash ${actual} are not those that were sealed as ${hash}`);
  return parseRecipientDocument(new TextDecoder().decode(document));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
