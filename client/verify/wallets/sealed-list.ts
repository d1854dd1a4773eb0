import { createTree } from '../../proof/merkle-tree.ts';
import type { Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { rootOf } from '../head-fields.ts';
import { type LogDocument, readLogDocument, type ShownLog } from '../log/log-document.ts';
import { LOGGED_WITHIN_SLOTS, newestLogSeals, readOfKey } from '../log/log-seals.ts';
import type { Seal } from '../seal.ts';
import type { Tenure, WalletEntry } from './wallet-list.ts';

export interface SealedListQuestion {
  readonly entries: readonly WalletEntry[];
  readonly tenures: readonly Tenure[];
  readonly source: string;
  /** The document with this root. @throws NotProvable where it is not shown */
  readonly document: (root: string) => Promise<ShownLog>;
  /** Newest logs to read. */
  readonly logs: number;
  /** Transactions of the keys of receipts to read. */
  readonly most: number;
}

/** An entry's slot may be this much older than a log without it: a worker reads the slot before it writes the entry. */
const MARGIN_SLOTS = 1_500;

const OWN_ROLES: readonly string[] = ['treasury', 'platform', 'rewards', 'restock', 'receipts'];

/** Requires that each of the newest sealed logs has the root of the list as it was then. */
export async function checkSealedList(chain: Chain, question: SealedListQuestion): Promise<Outcome<null>> {
  const { tenures, logs, most } = question;
  const { seals, isWhole } = await newestLogSeals(chain, tenures, { seals: logs + 1, most: readOfKey(most) });
  const [newest] = seals;
  if (!newest) throw new NotProvable('no log is sealed yet: keep the list with --state');
  let latest: LogDocument | null = null;
  const missing: string[] = [];
  for (const [index, seal] of seals.slice(0, logs).entries()) {
    const log = await shownOrNull(question, seal);
    if (log === null) {
      missing.push(seal.root);
      continue;
    }
    mustEqual(
      'the log is of another chain',
      of(await chain.genesisHash(), chain.name),
      of(log.genesisHash, 'its head'),
    );
    mustFollow(log, seal, seals[index + 1] ?? (isWhole ? null : undefined));
    checkList(question, log);
    latest ??= log;
  }
  if (missing.length > 0 || latest === null)
    throw new NotProvable(`${missing.length} of the newest logs are sealed and not shown: ${missing.join(', ')}`);
  const unsealed = await checkUnsealed(chain, question, latest);
  const how = `the first ${latest.wallets.count} entries are in log ${latest.number}, sealed by ${newest.signature}`;
  return { how: `${how}; ${unsealed} are younger than that`, value: null };
}

async function shownOrNull({ document }: SealedListQuestion, { root }: Seal): Promise<LogDocument | null> {
  try {
    const { text, source } = await document(root);
    const log = await readLogDocument(text, source);
    mustEqual('it is another document', of(root, 'its seal'), of(log.root, source));
    return log;
  } catch (error) {
    if (error instanceof NotProvable) return null;
    throw error;
  }
}

/** @throws Difference where another log was sealed between this one and the one that it names */
function mustFollow({ previous, number, receiptKey }: LogDocument, seal: Seal, before: Seal | null | undefined): void {
  mustEqual('the seal names another key', of(receiptKey, `log ${number}`), of(seal.about, seal.signature));
  if (before === undefined) return;
  const named = of(previous ?? 'none', `\`previous\` of log ${number}`);
  mustEqual('a log does not follow the one that was sealed before it', named, {
    value: before?.root ?? 'none',
    from: before?.signature ?? 'the history of the key',
  });
}

function checkList({ entries, source }: SealedListQuestion, { wallets, number, slot }: LogDocument): void {
  const found = {
    value: `${Math.min(wallets.count, entries.length)} entries, root ${rootAfter(entries, wallets.count)}`,
    from: source,
  };
  const sealed = { value: `${wallets.count} entries, root ${wallets.root}`, from: `log ${number}` };
  mustEqual('the list is not the one that was sealed', sealed, found);
  const early = entries.find(
    (entry) => entry.number > wallets.count && OWN_ROLES.includes(entry.role) && entry.slot < slot - MARGIN_SLOTS,
  );
  if (early)
    throw new Difference(
      `${early.address} is dated back`,
      of(`not before slot ${slot}`, `log ${number}, which does not have it`),
      of(`${early.role} from slot ${early.slot}`, `entry ${early.number} of ${source}`),
    );
}

/** Returns how many entries came after the newest log. @throws NotProvable where one is overdue */
async function checkUnsealed(chain: Chain, { entries }: SealedListQuestion, { wallets }: LogDocument): Promise<number> {
  const unsealed = entries.slice(wallets.count);
  const head = (await chain.head?.()) ?? null;
  const overdue = unsealed.find(({ slot }) => head !== null && head - slot > LOGGED_WITHIN_SLOTS);
  if (overdue) throw new NotProvable(`entry ${overdue.number}, ${overdue.address}, is in no log after two hours`);
  return unsealed.length;
}

/** Returns the root of a tree over the first `count` entries, hex. */
export function rootAfter(entries: readonly WalletEntry[], count: number): string {
  const tree = createTree();
  for (const { number, role, address, mint, event, slot } of entries.slice(0, count))
    tree.add(new TextEncoder().encode([number, role, address, mint ?? '', event, slot].join('\t')));
  return rootOf(tree.root());
}

function of(value: string, from: string) {
  return { value, from };
}
