import type { Chain } from '../chain.ts';
import { Difference, type Outcome } from '../check.ts';
import type { Landed } from '../landed.ts';
import { listedTransaction } from '../listed-transaction.ts';
import type { Tenure } from './wallet-list.ts';

export interface Sample {
  /** Newest transactions of each wallet. */
  readonly most: number;
  /** Newest pots. */
  readonly pots: number;
}

/**
 * Requires that every co-signer of pots and rewards wallets is in the list. Treasury and platform wallets are no
 * sample: creators, who are not listed, sign with them.
 */
export async function checkPaying(chain: Chain, tenures: readonly Tenure[], sample: Sample): Promise<Outcome<null>> {
  const pots = tenures.filter(({ entry }) => entry.role === 'pot').slice(-sample.pots);
  const read = [...pots, ...tenures.filter(({ entry }) => entry.role === 'rewards')];
  let transactions = 0;
  for (const { entry } of read) {
    const { entries } = await chain.history(entry.address, { most: sample.most });
    for (const { signature, hasFailed } of entries.slice(0, sample.most)) {
      if (hasFailed) continue;
      const landed = await listedTransaction(chain, signature);
      if (!landed.signers.includes(entry.address)) continue;
      transactions += 1;
      mustBeListed(landed, entry.address, tenures);
    }
  }
  return { how: `all signers of ${transactions} transactions of ${read.length} wallets are in the list`, value: null };
}

/** @throws Difference for a signer that is not listed, or had its role only after or before that slot */
function mustBeListed({ signers, slot, signature }: Landed, wallet: string, tenures: readonly Tenure[]): void {
  for (const signer of signers) {
    const known = tenures.filter(({ entry }) => entry.address === signer && entry.role !== 'lane');
    if (known.some(({ from, until }) => from <= slot && (until === null || slot <= until))) continue;
    const dates = known.map(({ from, until }) => `from slot ${from}${until === null ? '' : ` to ${until}`}`);
    throw new Difference(
      `a wallet signs with ${wallet} and is not listed for that slot`,
      { value: `${signer} ${dates.join(', ') || 'is not in the list'}`, from: 'the list' },
      { value: `signed at slot ${slot}`, from: signature },
    );
  }
}
