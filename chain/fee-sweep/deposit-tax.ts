import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchTransferFee } from '../exchange/opening.ts';
import { transferTax } from '../exchange/pool-math.ts';
import type { LandedTransaction } from '../rpc/transactions.ts';

/**
 * Tax on a reward launch's deposit, raw. It follows from finalized balance changes: losses without a matching gain were
 * withheld; less the dev buy's tax, which follows from what the pool gave for it.
 */
export function depositTaxOf({ tokenChanges }: Pick<LandedTransaction, 'tokenChanges'>, terms: LaunchTerms): bigint {
  const { mint } = terms.addresses;
  const withheld = tokenChanges.reduce((sum, { mint: moved, change }) => (moved === mint ? sum - change : sum), 0n);
  return withheld - transferTax(launchTransferFee(terms.fee), BigInt(terms.devBuy?.tokensRaw ?? 0n));
}
