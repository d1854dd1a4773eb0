import type { Static } from 'typebox';
import type { SealedLog } from '../../db/proof/sealed-logs.ts';
import { documentUrl } from '../../domain/proof/document-url.ts';
import { count, record, signature, text } from '../answers/fields.ts';
import { toInteger } from '../answers/numbers.ts';

export const SealedLogSchema = record(
  {
    number: count('Number of the log, from 1'),
    root: text('Merkle root of its document (hex, 32 bytes): its seal names it as an account'),
    documentUrl: text(
      'The document: the sha256 of each receipt, what the list of wallets was, and prices for reward rounds',
    ),
    signature: signature('The final transaction that sealed it'),
    slot: count('Slot of that transaction'),
  },
  'A log that is sealed on the chain',
  'SealedLog',
);

export function sealedLogAnswer(
  siteUrl: string,
  { number, root, sealSignature, sealSlot }: SealedLog,
): Static<typeof SealedLogSchema> {
  if (sealSignature === null || sealSlot === null) throw new Error(`log ${number} is not sealed`);
  return {
    number,
    root,
    documentUrl: documentUrl(siteUrl, root),
    signature: sealSignature,
    slot: toInteger(sealSlot),
  };
}
