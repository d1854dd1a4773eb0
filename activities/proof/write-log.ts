import type { Db } from '../../db/connect.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as documents from '../../db/proof/documents.ts';
import { packDocument, unpackDocument } from '../../db/proof/pack-document.ts';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import type { SealedLog } from '../../db/proof/sealed-logs.ts';
import { createLineTree, documentLines } from '../../domain/proof/lines.ts';
import { readLines } from '../../domain/proof/read-lines.ts';
import { isLogHead, sealedLog, walletLine, type WalletListRoot } from '../../domain/proof/sealed-log.ts';
import type { SealedLogDeps } from './deps.ts';
import { pricesOfRounds } from './log-prices.ts';

/** The log that is to be sealed: the one that was begun, else a new one if there is anything new. */
export async function dueLog(deps: SealedLogDeps): Promise<SealedLog | null> {
  const { db, rpc, context, receiptKey } = deps;
  const begun = await sealedLogs.open(db);
  if (begun) return begun;
  const prices = await pricesOfRounds(deps);
  if (prices.length === 0 && !(await sealedLogs.isDue(db))) return null;
  const { environment, genesisHash } = context;
  const { slot } = await rpc.agreedHead('finalized');
  const wallets = await walletListRoot(deps);
  return sealedLogs.write(db, { wallets, prices }, (next) => {
    const facts = { environment, genesisHash, slot, receiptKey: receiptKey.address, ...next };
    const { head, rows } = sealedLog(facts);
    return packDocument(documentLines(head, rows));
  });
}

/** The key that a stored log names. @throws where the database does not have its document */
export async function receiptKeyOf(db: Db, root: string): Promise<string> {
  const { head } = await readLines(unpackDocument(documents.parts(db, root)));
  if (isLogHead(head)) return head.receiptKey;
  throw new Error(`the document ${root} is not that of a log`);
}

/** Entries read at once. */
const PAGE = 1_000;

/** The list only grows: entries that are added meanwhile are those of the next log. */
async function walletListRoot({ db, heartbeat }: SealedLogDeps): Promise<WalletListRoot> {
  const tree = createLineTree();
  for (;;) {
    const page = await walletManifest.after(db, tree.size, null, PAGE);
    for (const entry of page) tree.add(walletLine(entry));
    heartbeat();
    if (page.length < PAGE) return { count: tree.size, root: Buffer.from(tree.root()).toString('hex') };
  }
}
