import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchTransferFee } from '../exchange/opening.ts';
import { transferTax } from '../exchange/pool-math.ts';
import type { LandedTransaction } from '../rpc/transactions.ts';

/**
 * Transfer tax that a reward launch's liquidity lost on its way into the pool, raw units. It is read from the balance changes
 * of the finalized transaction that deposited it: what one account lost and no other got was withheld, from the deposits and,
 * where there is one, from the dev buy, whose tax follows from what the pool gave for it.
 */
export function depositTaxOf({ tokenChanges }: Pick<LandedTransaction, 'tokenChanges'>, terms: LaunchTerms): bigint {
  const { mint } = terms.addresses;
  const withheld = tokenChanges.reduce((sum, { mint: moved, change }) => (moved === mint ? sum - change : sum), 0n);
  return withheld - transferTax(launchTransferFee(terms.fee), BigInt(terms.devBuy?.tokensRaw ?? 0n));
}
