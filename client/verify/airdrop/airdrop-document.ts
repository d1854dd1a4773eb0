import { sha256 } from '@noble/hashes/sha2.js';
import { DocumentError, type DocumentRow, readDocument, type SealedDocument } from '../../proof/lines.ts';
import { isAddress } from '../../solana/bytes.ts';
import { Difference } from '../check.ts';
import { addressIn, amountOf, rootIn, rootOf, textIn, wholeIn } from '../head-fields.ts';

/** Raw units before tax. */
export interface Recipient {
  readonly wallet: string;
  /** In the frozen ranking, from 0. */
  readonly position: number;
  readonly amountRaw: bigint;
  /** Its transaction, from 1. */
  readonly batch: number;
}

export interface AirdropDocument {
  /** Hex. */
  readonly root: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  /** Signature of the launch's payment. */
  readonly payment: string;
  readonly mint: string;
  readonly launchWallet: string;
  readonly shareRaw: bigint;
  readonly taxBps: number;
  /** As the document states it. */
  readonly recipientsHash: string;
  /** sha256 of the recipients' document as it follows from the rows, hex. */
  readonly hashOfRows: string;
  /** In the order of the ranking. */
  readonly recipients: readonly Recipient[];
}

/** @throws Difference where it is no such document */
export async function readAirdropDocument(
  text: AsyncIterable<string> | Iterable<string>,
  source: string,
): Promise<AirdropDocument> {
  const recipients: Recipient[] = [];
  try {
    const document = await readDocument(text, (row) => recipients.push(recipientOf(row)));
    return documentOf(
      document,
      recipients.toSorted((a, b) => a.position - b.position),
    );
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const expected = { value: 'the document of an airdrop', from: 'docs/verify.md' };
    throw new Difference('the document cannot be read', expected, { value: error.message, from: source });
  }
}

const COUNT = /^\d{1,9}$/;

function recipientOf(row: DocumentRow): Recipient {
  const [wallet = '', position = '', amount = '', batch = '', ...more] = row;
  if (!isAddress(wallet)) throw new DocumentError(`a row is of "${wallet}", which is no address`);
  if (more.length > 0 || !COUNT.test(position) || !COUNT.test(batch))
    throw new DocumentError(`a row is not wallet, place, amount and batch: ${row.join(' ')}`);
  const amountRaw = amountOf(amount, `the amount of ${wallet}`);
  return { wallet, position: Number(position), amountRaw, batch: Number(batch) };
}

function documentOf({ root, head }: SealedDocument, recipients: readonly Recipient[]): AirdropDocument {
  if (head['kind'] !== 'airdrop') throw new DocumentError(`it is of the kind ${JSON.stringify(head['kind'])}`);
  return {
    root: rootOf(root),
    genesisHash: textIn(head, 'genesisHash'),
    quoteId: textIn(head, 'quoteId'),
    payment: textIn(head, 'payment'),
    mint: addressIn(head, 'mint'),
    launchWallet: addressIn(head, 'launchWallet'),
    shareRaw: amountOf(head['shareRaw'], 'shareRaw'),
    taxBps: wholeIn(head, 'taxBps'),
    recipientsHash: rootIn(head, 'recipientsHash'),
    hashOfRows: hashOf(head, recipients),
    recipients,
  };
}

/** The recipients' document: the JSON that the quote was sealed with. */
function hashOf(head: SealedDocument['head'], recipients: readonly Recipient[]): string {
  const [source, tier, quoteMint] = [textIn(head, 'source'), textIn(head, 'tier'), addressIn(head, 'quoteMint')];
  const wallets = recipients.map(({ wallet }) => wallet);
  const slot = wholeIn(head, 'snapshotSlot');
  const text = JSON.stringify({ version: 1, source, tier, quoteMint, slot, recipients: wallets });
  return rootOf(sha256(new TextEncoder().encode(text)));
}
