import { AddressLookupTableAccount, AddressLookupTableProgram, type PublicKey } from '@solana/web3.js';
import { batchesOf } from '../../../domain/batches.ts';
import type { TestChain } from './localnet-chain.ts';

const PER_EXTENSION = 25;

/** Creates a table with addresses in it, usable at once: the last extension is a slot old. */
export async function createTable(
  chain: TestChain,
  addresses: readonly PublicKey[],
): Promise<AddressLookupTableAccount> {
  chain.advance(1);
  const authority = chain.wallet.publicKey;
  const recentSlot = await chain.slot('confirmed');
  const [create, key] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot });
  await chain.run([create]);
  for (const part of batchesOf(addresses, PER_EXTENSION)) {
    await chain.run([
      AddressLookupTableProgram.extendLookupTable({ lookupTable: key, authority, payer: authority, addresses: part }),
    ]);
  }
  return readTable(chain, key);
}

/** A table as the chain holds it now. */
export async function readTable(chain: TestChain, key: PublicKey): Promise<AddressLookupTableAccount> {
  const state = AddressLookupTableAccount.deserialize(await chain.accountData(key));
  return new AddressLookupTableAccount({ key, state });
}
