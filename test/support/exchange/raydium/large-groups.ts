import type { Connection, Keypair, VersionedTransaction } from '@solana/web3.js';
import type { InstructionGroup } from '../../../../chain/exchange/exchange.ts';
import { compileTransaction, TransactionTooLargeError } from '../../../../chain/transactions/compile.ts';
import { signTransaction } from '../../../../chain/transactions/sign-transaction.ts';
import type { Landed, TestChain } from '../test-chain.ts';
import { WAIT_MS } from '../../platform/eventually.ts';

const POLL_MS = 20;
/** What is too large for a packet lands with a lookup table of the addresses that its group names, and without a memo. */
export function withLookupTables(chain: TestChain): TestChain {
  type Send = Parameters<TestChain['land']>;
  async function land(...[payer, group, signers = [], tables = []]: Send): Promise<Landed> {
    try {
      return await chain.land(payer, group, signers, tables);
    } catch (error) {
      if (!(error instanceof TransactionTooLargeError)) throw error;
      const table = await chain.createLookupTable(group.lookupAddresses);
      return landBare(chain.connection, payer, group, signers, [table]);
    }
  }
  async function succeed(...send: Send): Promise<Landed> {
    const landed = await land(...send);
    if (landed.err === null) return landed;
    throw new Error(`${JSON.stringify(landed.err)}\n${landed.response.meta?.logMessages?.join('\n') ?? ''}`);
  }
  return { ...chain, land, succeed };
}

async function landBare(
  connection: Connection,
  payer: Keypair,
  group: InstructionGroup,
  signers: readonly Keypair[],
  lookupTables: Parameters<typeof compileTransaction>[0]['lookupTables'],
): Promise<Landed> {
  const { blockhash } = await connection.getLatestBlockhash('confirmed');
  const transaction = compileTransaction({
    payer: payer.publicKey,
    instructions: group.instructions,
    computeUnits: group.computeUnits,
    computeUnitPrice: 1_000n,
    blockhash,
    ...(lookupTables && { lookupTables }),
  });
  const { signature, wire } = await signTransaction(transaction, requiredOf(transaction, [payer, ...signers]));
  return landWire(connection, signature, wire);
}

/** Sends a signed transaction and answers how it landed. */
export async function landWire(connection: Connection, signature: string, wire: Uint8Array): Promise<Landed> {
  await connection.sendRawTransaction(wire, { skipPreflight: true, maxRetries: 0 });
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const response = await connection.getTransaction(signature, options);
    if (response) return { signature, err: response.meta?.err ?? null, bytes: wire.length, response };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`transaction ${signature} did not land within ${WAIT_MS} ms`);
}

/** Of these keys, those that the transaction must be signed with. */
export function requiredOf({ message }: VersionedTransaction, keys: readonly Keypair[]): Keypair[] {
  const required = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  return required.flatMap((signer) => keys.find(({ publicKey }) => publicKey.equals(signer)) ?? []);
}
