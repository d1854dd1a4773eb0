import type { Chain, Listed } from '../chain.ts';
import { Difference, NotProvable } from '../check.ts';
import { type Landed, gainOf } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { findSealBy, type Seal, sealIn } from '../seal.ts';
import type { Tenure } from '../wallets/wallet-list.ts';
import type { RoundDocument } from './round-document.ts';
import { sealerOf, unknownSealer } from './sealed-wallets.ts';

export interface PotHistory {
  /** Null for the first round. */
  readonly previousSeal: Seal | null;
  /** Behind the previous seal. */
  readonly before: readonly Landed[];
  /** Until the next seal, or now. */
  readonly after: readonly Landed[];
  /** The next round was sealed: this one has ended. */
  readonly isClosed: boolean;
  /** Wallets that paid for a transaction that the pot signed: the platform's own. */
  readonly payers: ReadonlySet<string>;
}

/** Entries that are listed behind the seal for each one that may be read: the next seal ends the round. */
const LISTED_FOR_ONE = 10;

export interface PotQuestion {
  readonly seal: Seal;
  /** Transactions in each direction. */
  readonly most: number;
  /** Wallets of the sealed list; null without one. */
  readonly tenures: readonly Tenure[] | null;
}

/**
 * Reads from the previous seal to the next. Seals of the platform are by wallets that the pot's own transactions or the
 * sealed list show: the platform wallet may change between two of them.
 *
 * @throws Difference where another document was sealed in this one's place
 */
export async function readPotHistory(
  chain: Chain,
  document: RoundDocument,
  question: PotQuestion,
): Promise<PotHistory> {
  const { pot } = document;
  const { seal, most, tenures } = question;
  const isListed = (one: Seal) => tenures !== null && sealerOf(tenures, one) === 'then';
  const last = await previousOf(chain, document, question);
  const until = last && { until: last.signature };
  const before = await readAll(chain, pot, { before: seal.signature, ...until, most });
  const payers = new Set(before.flatMap((landed) => payerBy(pot, landed)));
  const isOwn = (one: Seal) => one.payer === seal.payer || payers.has(one.payer) || isListed(one);
  if (last && !isOwn(last)) throw unknownSealer(last, 'the document before this one');
  const other = before.map((landed) => sealAbout(landed, pot)).find((one) => one !== null && isOwn(one));
  if (other) throw anotherSeal(other, last, seal);
  return { previousSeal: last, before, payers, ...(await readAfter(chain, pot, question, { payers, isOwn })) };
}

/** By an own wallet if possible. */
async function previousOf(
  chain: Chain,
  { pot, previous }: RoundDocument,
  { seal, tenures, most }: PotQuestion,
): Promise<Seal | null> {
  if (previous === null) return null;
  const isOwn = (one: Seal) => one.payer === seal.payer || (tenures !== null && sealerOf(tenures, one) === 'then');
  const { own, others } = await findSealBy(chain, { root: previous, about: pot }, isOwn, most);
  const found = own ?? others[0];
  if (found) return found;
  throw new Difference(
    'the document before this one is not sealed',
    { value: previous, from: '`previous`' },
    noSeal(chain),
  );
}

interface OwnWallets {
  /** Grows. */
  readonly payers: Set<string>;
  readonly isOwn: (seal: Seal) => boolean;
}

/** Reads up to the next seal. It may be by a new wallet, which a later transaction of the pot shows. */
async function readAfter(
  chain: Chain,
  pot: string,
  { seal, most }: PotQuestion,
  { payers, isOwn }: OwnWallets,
): Promise<Pick<PotHistory, 'after' | 'isClosed'>> {
  const listed = most * LISTED_FOR_ONE;
  const later = await chain.history(pot, { until: seal.signature, most: listed });
  if (!later.isWhole)
    throw new NotProvable(`more than ${listed} transactions name the pot since the seal: raise --most`);
  const after: Landed[] = [];
  const unknown = new Map<string, number>();
  for (const { signature } of later.entries.filter(hasLanded).toReversed()) {
    if (after.length === most) throw new NotProvable(`more than ${most} transactions name the pot behind the seal`);
    const landed = await listedTransaction(chain, signature);
    const next = sealAbout(landed, pot);
    if (next && isOwn(next)) return { after, isClosed: true };
    if (next && !unknown.has(next.payer)) unknown.set(next.payer, after.length);
    for (const payer of payerBy(pot, landed)) {
      const sealedAt = unknown.get(payer);
      if (sealedAt !== undefined) return { after: after.slice(0, sealedAt), isClosed: true };
      payers.add(payer);
    }
    after.push(landed);
  }
  return { after, isClosed: false };
}

/** Returns the payer if the pot signed: the platform's keys sign together. */
export function payerBy(pot: string, landed: Landed): string[] {
  return isBy(pot, landed) ? landed.signers.slice(0, 1) : [];
}

function noSeal({ name }: Chain) {
  return { value: 'no seal of it', from: `history of that root, ${name}` };
}

function anotherSeal({ root, signature }: Seal, last: Seal | null, seal: Seal): Difference {
  const place = last ? `between ${last.signature} and ${seal.signature}` : `before ${seal.signature}`;
  const expected = { value: `no other seal ${place}`, from: '`previous` of the document' };
  return new Difference('another document was sealed for this pot', expected, { value: root, from: signature });
}

function sealAbout(landed: Landed, pot: string): Seal | null {
  const seal = sealIn(landed);
  return seal?.about === pot ? seal : null;
}

const hasLanded = ({ hasFailed }: Listed) => !hasFailed;

async function readAll(chain: Chain, pot: string, range: { before: string; until?: string; most: number }) {
  const { entries, isWhole } = await chain.history(pot, range);
  if (!isWhole || entries.length > range.most)
    throw new NotProvable(`more than ${range.most} transactions name the pot between two seals`);
  const read = [];
  for (const { signature } of entries.filter(hasLanded).toReversed())
    read.push(await listedTransaction(chain, signature));
  return read;
}

/** True if the pot signed: only its key moves its tokens, unless it made another key a delegate. */
export function isBy(pot: string, { signers }: Landed): boolean {
  return signers.includes(pot);
}

/** Returns what leaves the pot; 0 or below for a gain. */
export function lossOf(landed: Landed, pot: string, mint: string): bigint {
  return -gainOf(landed, pot, mint);
}
