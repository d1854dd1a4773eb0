import type { ReceiptKey } from '../../chain/keys/receipt-key.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import type { KeyContext } from '../../chain/keys/launch-keys.ts';
import type { SpendablePrices } from '../../domain/trading/spendable-price.ts';
import type { MoneyDeps } from '../money/deps.ts';

export interface SealedLogDeps extends MoneyDeps {
  readonly context: KeyContext;
  readonly signers: { readonly platform: TransactionSigner };
  readonly receiptKey: Pick<ReceiptKey, 'address'>;
  readonly spendablePrices: Pick<SpendablePrices, 'of'>;
  readonly settings: {
    /** micro-lamports per compute unit */
    readonly computeUnitPrice: bigint;
  };
}
