import type { Signer } from './signer.ts';

/** The part of an account that is used. */
export interface StandardAccount {
  /** base58 */
  readonly address: string;
}

interface SignInput<Account> {
  readonly account: Account;
  readonly transaction: Uint8Array;
  readonly chain?: `solana:${string}`;
}

/** Signs without sending. */
export interface StandardWallet<Account extends StandardAccount = StandardAccount> {
  readonly name: string;
  readonly features: {
    readonly 'solana:signTransaction': {
      readonly signTransaction: (
        ...inputs: readonly SignInput<Account>[]
      ) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
    };
  };
}

/**
 * Shows and simulates on `chain`, as `solana:mainnet`.
 *
 * @see https://github.com/wallet-standard/wallet-standard
 */
export function walletStandardSigner<Account extends StandardAccount>(
  wallet: StandardWallet<Account>,
  account: Account,
  chain?: `solana:${string}`,
): Required<Signer> {
  const signAll = async (transactions: readonly Uint8Array[]) => {
    const { signTransaction } = wallet.features['solana:signTransaction'];
    const inputs = transactions.map((transaction) => ({ account, transaction, ...(chain && { chain }) }));
    const signed = await signTransaction(...inputs);
    return signed.map(({ signedTransaction }) => signedTransaction);
  };
  return {
    address: account.address,
    async sign(transaction) {
      const [signed] = await signAll([transaction]);
      if (!signed) throw new Error(`${wallet.name} answered without a signed transaction`);
      return signed;
    },
    signAll,
  };
}
