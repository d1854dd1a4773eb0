import type { Chain } from '../chain.ts';
import { Difference, NotProvable } from '../check.ts';
import type { Landed } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import { type Seal, sealIn } from '../seal.ts';
import type { AirdropDocument } from './airdrop-document.ts';

/** Transactions that the launch wallet signed behind its launch, oldest first. */
export interface WalletHistory {
  /** Until the seal. */
  readonly before: readonly Landed[];
  readonly after: readonly Landed[];
}

/**
 * Reads the launch wallet's history behind the launch's last transaction. Every transfer of its tokens has its
 * signature, so the history is complete.
 * @throws Difference where it sealed another document of the coin
 */
export async function readWalletHistory(
  chain: Chain,
  { mint, launchWallet }: AirdropDocument,
  { seal, launched, most }: { readonly seal: Seal; readonly launched: string; readonly most: number },
): Promise<WalletHistory> {
  const { entries, isWhole } = await chain.history(launchWallet, { until: launched, most });
  if (!isWhole || entries.length > most)
    throw new NotProvable(`more than ${most} transactions name the launch wallet ${launchWallet}`);
  const landed = entries.filter(({ hasFailed }) => !hasFailed).toReversed();
  const history: { before: Landed[]; after: Landed[] } = { before: [], after: [] };
  let isBehind = false;
  for (const { signature } of landed) {
    if (signature === seal.signature) {
      isBehind = true;
      continue;
    }
    const read = await listedTransaction(chain, signature);
    if (!read.signers.includes(launchWallet)) continue;
    mustNotSeal(read, seal, mint);
    history[isBehind ? 'after' : 'before'].push(read);
  }
  if (!isBehind) throw new NotProvable(`${chain.name} does not list the seal ${seal.signature} behind the launch`);
  return history;
}

function mustNotSeal(landed: Landed, { root, payer, signature: from }: Seal, mint: string): void {
  const other = sealIn(landed);
  if (other?.payer !== payer || other.about !== mint) return;
  const found = { value: other.root, from: other.signature };
  throw new Difference('another list was sealed for this airdrop', { value: root, from }, found);
}
