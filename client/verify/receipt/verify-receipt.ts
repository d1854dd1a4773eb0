import { DocumentError } from '../../proof/lines.ts';
import { toBase58 } from '../../solana/bytes.ts';
import { type Check, createChecks, Difference, mustEqual, type Outcome } from '../check.ts';
import { shown } from '../growing-list.ts';
import type { ShownLog } from '../log/log-document.ts';
import { type Tenure, tenuresOf, type WalletEntry } from '../wallets/wallet-list.ts';
import { checkLogged } from './log-check.ts';
import { checkCompleted, checkNotCharged, checkRefunded, type ExpiryChain } from './receipt-checks.ts';
import { isSignedByKey, readReceipt, type Receipt, type ReceiptFile } from './receipt-file.ts';

export interface ReceiptQuestion {
  /** Reads the receipt, a compact JWS. */
  readonly text: () => Promise<string>;
  readonly source: string;
  readonly chain: ExpiryChain;
  /** Entries of the list of wallets with the roles `receipts`, which sign receipts, and `platform`, which seal logs. */
  readonly keys: () => Promise<readonly WalletEntry[]>;
  /** The log that the platform names for the receipt of this payment; null: none. */
  readonly log: (paymentSignature: string) => Promise<ShownLog | null>;
  /** Transactions of the launch wallet to read; default 1,000. */
  readonly most?: number;
}

/** Checks the platform's signed statement about a launch by the chain. */
export async function verifyReceipt(question: ReceiptQuestion): Promise<readonly Check[]> {
  const { source, chain, keys, log, most = 1_000 } = question;
  const checks = createChecks();
  let text = '';
  const file = await checks.run('form', async () => readForm((text = await question.text()), source, chain));
  if (!file) return checks.done;
  const { receipt } = file;
  await checks.run('signature', () => checkSignature(file, source));
  const key = await checks.run('key', async () => checkKey(file, await shown(keys)));
  await checks.run('chain', () => checkChain(chain, receipt, most));
  if (key)
    await checks.run('log', async () => {
      return checkLogged(chain, { text, receipt, ...key }, await shown(() => log(receipt.paymentSignature)), most);
    });
  return checks.done;
}

async function readForm(text: string, source: string, chain: ExpiryChain): Promise<Outcome<ReceiptFile>> {
  const file = readable(text, source);
  const { kind, quoteId, genesisHash } = file.receipt;
  const own = { value: await chain.genesisHash(), from: chain.name };
  mustEqual('it is of another chain', { value: genesisHash, from: source }, own);
  return { how: `quote ${quoteId}: ${kind}`, value: file };
}

function readable(text: string, source: string): ReceiptFile {
  try {
    return readReceipt(text);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const found = { value: error.message, from: source };
    throw new Difference('it is no receipt', { value: 'a receipt', from: 'docs/verify.md' }, found);
  }
}

function checkSignature(file: ReceiptFile, source: string): Outcome<null> {
  if (isSignedByKey(file)) return { how: `by ${file.key}`, value: null };
  const found = { value: toBase58(file.signature), from: source };
  throw new Difference('its signature is not of its bytes', { value: `one of ${file.key}`, from: 'its header' }, found);
}

/** The key that signed it, and all tenures of the list. */
interface KnownKey {
  readonly key: Tenure;
  readonly tenures: readonly Tenure[];
}

/** Accepts a retired key: the platform signed with it. */
function checkKey({ key }: ReceiptFile, entries: readonly WalletEntry[]): Outcome<KnownKey> {
  const tenures = tenuresOf(entries, 'the list');
  const keys = tenures.filter(({ entry }) => entry.role === 'receipts');
  const tenure = keys.findLast(({ entry }) => entry.address === key);
  if (!tenure) {
    const listed = keys.map(({ entry }) => entry.address).join(' or ') || 'none';
    const found = { value: key, from: 'the header of the receipt' };
    throw new Difference('a foreign key signed it', { value: listed, from: '`receipts` of the list' }, found);
  }
  const until = tenure.until === null ? '' : ` until slot ${tenure.until}`;
  const how = `${key} signs the platform's receipts from slot ${tenure.from}${until}`;
  return { how, value: { key: tenure, tenures } };
}

function checkChain(chain: ExpiryChain, receipt: Receipt, most: number): Promise<Outcome<null>> {
  switch (receipt.kind) {
    case 'completed':
      return checkCompleted(chain, receipt);
    case 'notCharged':
      return checkNotCharged(chain, receipt, most);
    case 'refunded':
      return checkRefunded(chain, receipt);
  }
}
