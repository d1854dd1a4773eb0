import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import bs58 from 'bs58';

export interface LandedStep {
  readonly program: PublicKey;
  readonly accounts: readonly PublicKey[];
  readonly data: Buffer;
}

/** Lists steps in order: each top-level instruction, then those it called. */
export function landedSteps({ transaction, meta }: VersionedTransactionResponse): LandedStep[] {
  const { message } = transaction;
  const keys = message.getAccountKeys({ accountKeysFromLookups: meta?.loadedAddresses });
  const keyAt = (index: number): PublicKey => {
    const key = keys.get(index);
    if (!key) throw new RangeError(`a transaction names account ${index} of ${keys.length}`);
    return key;
  };
  const stepOf = (programIndex: number, accounts: readonly number[], data: Uint8Array): LandedStep => ({
    program: keyAt(programIndex),
    accounts: accounts.map(keyAt),
    data: Buffer.from(data),
  });
  return message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }, index) => [
    stepOf(programIdIndex, accountKeyIndexes, data),
    ...(meta?.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap(({ instructions }) => instructions)
      .map((inner) => stepOf(inner.programIdIndex, inner.accounts, bs58.decode(inner.data))),
  ]);
}
