import type { Signer } from './signer.ts';

/** An account of a wallet-standard wallet, as far as it is needed here. */
export interface StandardAccount {
  /** base58 */
  readonly address: string;
}

/** A wallet-standard wallet that can sign a transaction without sending it. */
export interface StandardWallet<Account extends StandardAccount = StandardAccount> {
  readonly name: string;
  readonly features: {
    readonly 'solana:signTransaction': {
      readonly signTransaction: (input: {
        readonly account: Account;
        readonly transaction: Uint8Array;
        readonly chain?: `solana:${string}`;
      }) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
    };
  };
}

/**
 * Signs with a wallet of the browser. `chain` is what the wallet shows and simulates on, as `solana:mainnet`.
 *
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function walletStandardSigner<Account extends StandardAccount>(
  wallet: StandardWallet<Account>,
  account: Account,
  chain?: `solana:${string}`,
): Signer {
  return {
    address: account.address,
    async sign(transaction) {
      const { signTransaction } = wallet.features['solana:signTransaction'];
      const [signed] = await signTransaction({ account, transaction, ...(chain && { chain }) });
      if (!signed) throw new Error(`${wallet.name} answered without a signed transaction`);
      return signed.signedTransaction;
    },
  };
}
