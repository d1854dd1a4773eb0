import {
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { eventually } from '../platform/eventually.ts';
import type { Platform } from '../platform/platform.ts';

/** Somebody with a funded wallet who has nothing to do with a launch but knows its addresses. */
export interface Stranger {
  readonly keypair: Keypair;
  /** Sends these instructions and waits until they are confirmed. */
  send(...instructions: TransactionInstruction[]): Promise<string>;
  /** Sends lamports to an address, with memos copied from a launch. */
  dust(address: string, lamports: bigint, ...memos: string[]): Promise<string>;
}

/** A stranger with 100 SOL. */
export async function createStranger(platform: Platform): Promise<Stranger> {
  const keypair = Keypair.generate();
  const { connection, chain } = platform;
  await untilConfirmed(platform, chain.control.fund(keypair.publicKey.toBase58(), 100n * BigInt(LAMPORTS_PER_SOL)));
  const send = async (...instructions: TransactionInstruction[]): Promise<string> => {
    const latest = await connection.getLatestBlockhash();
    const transaction = new Transaction({ ...latest, feePayer: keypair.publicKey }).add(...instructions);
    transaction.sign(keypair);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    await untilConfirmed(platform, signature);
    return signature;
  };
  const transfer = (address: string, lamports: bigint) =>
    SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey: new PublicKey(address), lamports });
  return {
    keypair,
    send,
    dust: (address, lamports, ...memos) =>
      send(transfer(address, lamports), ...memos.map((memo) => memoInstruction(memo))),
  };
}

async function untilConfirmed({ connection }: Platform, signature: string): Promise<void> {
  await eventually(async () => {
    const { value } = await connection.getSignatureStatus(signature);
    return (value && value.confirmationStatus !== 'processed') || null;
  });
}
