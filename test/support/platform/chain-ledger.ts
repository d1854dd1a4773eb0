import {
  type ConfirmedSignatureInfo,
  type Connection,
  type ParsedTransactionWithMeta,
  PublicKey,
} from '@solana/web3.js';

/** Reads transactions of the chain, each once; null for one that it does not have. */
export type Ledger = (signature: string) => Promise<ParsedTransactionWithMeta | null>;

export function createLedger(connection: Connection): Ledger {
  const read = new Map<string, Promise<ParsedTransactionWithMeta | null>>();
  return (signature) => {
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const known = read.get(signature) ?? connection.getParsedTransaction(signature, options);
    read.set(signature, known);
    return known;
  };
}

/** Raw units that an owner has more of a token after a transaction than before. */
export function gainOf({ meta }: ParsedTransactionWithMeta, owner: string, mint: string): bigint {
  const sum = (balances: NonNullable<typeof meta>['preTokenBalances']) =>
    (balances ?? [])
      .filter((balance) => balance.owner === owner && balance.mint === mint)
      .reduce((total, { uiTokenAmount }) => total + BigInt(uiTokenAmount.amount), 0n);
  return sum(meta?.postTokenBalances) - sum(meta?.preTokenBalances);
}

/** Every transaction at an address, failed ones too, newest first. */
export async function historyOf(connection: Connection, address: string): Promise<ConfirmedSignatureInfo[]> {
  const all: ConfirmedSignatureInfo[] = [];
  for (let before: string | undefined; ; before = all.at(-1)?.signature) {
    const options = before === undefined ? {} : { before };
    const page = await connection.getSignaturesForAddress(new PublicKey(address), options, 'confirmed');
    if (page.length === 0) return all;
    all.push(...page);
  }
}
