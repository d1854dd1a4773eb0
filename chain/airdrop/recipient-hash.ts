import { createHash } from 'node:crypto';
import { parseRecipientDocument, recipientDocument, type RecipientSet } from '../../domain/airdrop/recipient-set.ts';

export interface FrozenRecipients {
  /** sha256, hex; sealed in the quote. */
  readonly hash: string;
  readonly document: Buffer;
}

export function freezeRecipients(set: RecipientSet): FrozenRecipients {
  const document = Buffer.from(recipientDocument(set), 'utf8');
  return { hash: hashOf(document), document };
}

/** Throws if the document has another hash or is no recipient set. */
export function openRecipients(hash: string, document: Uint8Array): RecipientSet {
  const actual = hashOf(document);
  if (actual !== hash) throw new Error(`recipients with hash ${actual} are not those that were sealed as ${hash}`);
  return parseRecipientDocument(new TextDecoder().decode(document));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
