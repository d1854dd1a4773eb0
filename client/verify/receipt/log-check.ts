import { sha256 } from '@noble/hashes/sha2.js';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { rootOf } from '../head-fields.ts';
import { type LogDocument, readLogDocument, type ShownLog } from '../log/log-document.ts';
import { isOfLog, LOGGED_WITHIN_SLOTS, newestLogSeals, readOfKey } from '../log/log-seals.ts';
import { findSeal, type Seal } from '../seal.ts';
import { everyHolder, type Tenure } from '../wallets/wallet-list.ts';
import type { ExpiryChain } from './receipt-checks.ts';
import type { Receipt } from './receipt-file.ts';

export interface LoggedReceipt {
  /** The JWS. */
  readonly text: string;
  readonly receipt: Receipt;
  /** Of the key that signed it. */
  readonly key: Tenure;
  /** Entries of the roles `platform` and `receipts`. */
  readonly tenures: readonly Tenure[];
}

/** Requires a sealed log with the receipt: then the platform issued it and cannot deny that. */
export async function checkLogged(
  chain: ExpiryChain,
  { text, receipt, key, tenures }: LoggedReceipt,
  shown: ShownLog | null,
  most: number,
): Promise<Outcome<null>> {
  if (shown === null) throw await notLogged(chain, { receipt, key, tenures }, most);
  const { source } = shown;
  const log = await readLogDocument(shown.text, source);
  const own = { value: await chain.genesisHash(), from: chain.name };
  mustEqual('the log is of another chain', own, { value: log.genesisHash, from: source });
  const digest = rootOf(sha256(new TextEncoder().encode(text.trim())));
  if (!log.digests.has(digest))
    throw new Difference(
      'the log does not have the receipt',
      { value: digest, from: 'sha256 of the receipt' },
      { value: `${log.digests.size} others`, from: source },
    );
  const { signature, slot } = await sealOf(chain, log, tenures, most);
  return { how: `in log ${log.number}, root ${log.root}, sealed by ${signature} in slot ${slot}`, value: null };
}

async function sealOf(
  chain: ExpiryChain,
  { root, receiptKey, number }: LogDocument,
  tenures: readonly Tenure[],
  most: number,
): Promise<Seal> {
  const payers = everyHolder(tenures, 'platform');
  for (const payer of payers) {
    const seal: Seal | null = await findSeal(chain, { root, about: receiptKey }, payer, most);
    if (seal && isOfLog(seal, tenures)) return seal;
  }
  throw new Difference(
    'the log is not sealed',
    { value: `a seal of ${root} by ${payers.join(' or ')}`, from: `log ${number}` },
    { value: 'none', from: `history of the root, ${chain.name}` },
  );
}

/** Slots within which a running worker signs a due receipt (half an hour); number of newest logs that are read. */
const [SIGNED_WITHIN_SLOTS, SEALS_READ] = [4_500, 20];

/**
 * Returns the error of a receipt that no log has: a difference, or that nothing can be proven yet. The receipt has no
 * time of signing, and the worker may have been down. The first log after an outage may be sealed before the receipt is
 * signed, so a difference needs two logs that lack it.
 */
async function notLogged(
  chain: ExpiryChain,
  { receipt, key, tenures }: Omit<LoggedReceipt, 'text'>,
  most: number,
): Promise<Error> {
  const { entry, until } = key;
  const expected = { value: 'a log that has it', from: 'docs/verify.md' };
  const none = { value: 'none', from: '`log` of the platform’s response' };
  if (until !== null)
    return new Difference(
      `${entry.address} is retired since slot ${until}, and no log has the receipt`,
      expected,
      none,
    );
  const stated = await statedSlot(chain, receipt);
  if (stated === null) return new NotProvable('no log has it, and the chain does not say how old it is');
  const due = stated + LOGGED_WITHIN_SLOTS;
  const { seals } = await newestLogSeals(chain, tenures, { seals: SEALS_READ, most: readOfKey(most) });
  const later = seals.filter(({ slot }) => slot >= due);
  const [newest, oldest] = [later[0], later.at(-1)];
  if (!newest || !oldest || newest.slot - oldest.slot < SIGNED_WITHIN_SLOTS)
    return new NotProvable(
      `no log has it yet: too few were sealed behind slot ${due}, from which on it is due in each`,
    );
  const found = { value: none.value, from: `logs sealed in slots ${oldest.slot} to ${newest.slot}, ${none.from}` };
  return new Difference(`it is signed, and no log behind slot ${due} has it`, expected, found);
}

/**
 * Returns the slot of the stated end; null if unknown. For a payment that never landed, returns a slot after which it
 * could not land any more: there are at least as many slots as blocks.
 */
async function statedSlot(chain: ExpiryChain, receipt: Receipt): Promise<number | null> {
  switch (receipt.kind) {
    case 'completed':
      return receipt.slot;
    case 'refunded':
      return (await chain.transaction(receipt.refundSignature))?.slot ?? null;
    case 'notCharged':
      return expiredSlot(chain, receipt);
  }
}

async function expiredSlot(chain: ExpiryChain, receipt: Receipt & { readonly kind: 'notCharged' }) {
  const head = (await chain.head?.()) ?? null;
  if (head === null) return null;
  const { height } = await chain.expiry(receipt.blockhash);
  return head - (height - receipt.lastValidBlockHeight);
}
