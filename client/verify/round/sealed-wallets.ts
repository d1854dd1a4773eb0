import { mustEqual, NotProvable, type Outcome } from '../check.ts';
import { shown } from '../growing-list.ts';
import { readLogDocument } from '../log/log-document.ts';
import type { Seal } from '../seal.ts';
import { rootAfter } from '../wallets/sealed-list.ts';
import { type Holding, holdingOf, type Tenure, tenuresOf, type WalletEntry } from '../wallets/wallet-list.ts';
import type { RoundDocument, ShowLog } from './round-document.ts';

/** The list of the platform's own wallets, as an API shows it. */
export interface ShownWallets {
  readonly read: () => Promise<readonly WalletEntry[]>;
  readonly source: string;
}

/**
 * Returns the wallets of the list that the round's log seals. The round's document names that log, and the round's seal
 * is by a wallet that the pot's own transactions show.
 */
export async function readSealedWallets(
  document: RoundDocument,
  show: ShowLog,
  { read, source }: ShownWallets,
): Promise<Outcome<readonly Tenure[]>> {
  const { table } = document.prices;
  if (table === null) throw new NotProvable('the document names no log, so no list of wallets is sealed');
  const log = show(table, document);
  const { root, wallets, number } = await readLogDocument(log.text, log.source);
  mustEqual('another log is shown', { value: table.root, from: 'the document' }, { value: root, from: log.source });
  const entries = await shown(read);
  const sealed = { value: `${wallets.count} entries, root ${wallets.root}`, from: `log ${number}` };
  const found = { value: `${wallets.count} entries, root ${rootAfter(entries, wallets.count)}`, from: source };
  mustEqual('the list is not the one that was sealed', sealed, found);
  const value = tenuresOf(entries, source).filter(({ entry }) => entry.number <= wallets.count);
  return { how: `the first ${wallets.count} entries are in log ${number}`, value };
}

/** Says whether the wallet of a seal was the platform wallet then. */
export function sealerOf(tenures: readonly Tenure[], { payer, slot }: Pick<Seal, 'payer' | 'slot'>): Holding {
  return holdingOf(tenures, { role: 'platform', address: payer, slot });
}

/** The error of a seal by a wallet that nothing shows as the platform's. */
export function unknownSealer({ signature, payer, slot }: Seal, what: string): NotProvable {
  return new NotProvable(
    `${what} is sealed by ${payer} in ${signature}: --url names the API whose sealed list says whether that was the platform wallet in slot ${slot}`,
  );
}
