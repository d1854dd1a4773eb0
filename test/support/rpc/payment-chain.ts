import { createHash, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { Keypair, type PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { RecentBlockhash } from '../../../chain/rpc/recent-blockhash.ts';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import type { DeathCase } from '../../../chain/rpc/witness.ts';
import { signatureOf } from '../../../chain/transactions/compile.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';

/** Block heights after which a blockhash of now is past its end by more than the margin, at finality: 150 + 32 + 31 + 1. */
export const BLOCKS_TO_DEATH = 150 + 32 + 31 + 1;

/** A signed payment into a wallet that nothing touched before. */
export interface TestPayment {
  readonly wire: Uint8Array;
  readonly signature: string;
  readonly recipient: PublicKey;
  readonly blockhash: RecentBlockhash;
  /** The case to prove, with the recipient as its effect. */
  readonly question: DeathCase;
}

/** A chain whose slots move only when told to, and a funded payer. */
export interface PaymentChain {
  readonly chain: Localnet;
  readonly payer: Keypair;
  /** Addresses of endpoints of this chain, each with its own faults. */
  endpoints(...names: string[]): string[];
  rpc(...names: string[]): Rpc;
  pay(memo?: string, lamports?: number): Promise<TestPayment>;
  /** Sends from the payer to the recipient what is not the payment; returns its signature. */
  dust(recipient: PublicKey, memo: string, lamports?: number): Promise<string>;
  land(wire: Uint8Array): Promise<void>;
}

/** Starts a chain in memory; `chain.close()` ends it. */
export async function startPaymentChain(): Promise<PaymentChain> {
  const chain = await startLocalnet({ slotMs: 0 });
  const payer = Keypair.generate();
  chain.control.fund(payer.publicKey.toBase58(), 1_000_000_000_000n);
  chain.control.advanceSlots(40);
  const endpoints = (...names: string[]) => names.map((name) => `${chain.rpcUrl}/rpc/${name}`);
  const rpc = (...names: string[]) => createRpc({ endpoints: endpoints(...names) });
  const direct = rpc('direct');
  const sign = (blockhash: string, recipient: PublicKey, lamports: number, memo: string) => {
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: recipient, lamports }),
        memoInstruction(memo),
      ],
    });
    const transaction = new VersionedTransaction(message.compileToV0Message());
    transaction.sign([payer]);
    return transaction;
  };
  const land = async (wire: Uint8Array) => {
    const { taken, failures } = await direct.sendWire(wire);
    if (taken !== 1) throw new Error(failures.join('; '));
  };
  return {
    chain,
    payer,
    endpoints,
    rpc,
    land,
    async pay(memo = 'launch/q/1', lamports = 5_000_000) {
      const blockhash = await direct.latestBlockhash();
      const recipient = Keypair.generate().publicKey;
      const transaction = sign(blockhash.blockhash, recipient, lamports, memo);
      const message = transaction.message.serialize();
      const signature = signatureOf(transaction);
      const question = {
        signatures: [signature],
        lastValidBlockHeight: blockhash.lastValidBlockHeight,
        blockhashSlot: blockhash.slot,
        effects: [{ account: recipient.toBase58(), message }],
      };
      return { wire: transaction.serialize(), signature, recipient, blockhash, question };
    },
    async dust(recipient, memo, lamports = 1_000_000) {
      const { blockhash } = await direct.latestBlockhash();
      const transaction = sign(blockhash, recipient, lamports, memo);
      await land(transaction.serialize());
      return signatureOf(transaction);
    },
  };
}

/**
 * The same message signed once more: ed25519 allows any nonce, so a signer can make as many valid signatures as he likes
 * (RFC 8032, 5.1.6, with a random r).
 */
export function signAgain(wire: Uint8Array, signer: Keypair): VersionedTransaction {
  const transaction = VersionedTransaction.deserialize(wire);
  const message = transaction.message.serialize();
  const order = ed25519.Point.Fn.ORDER;
  const scalarOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % order;
  const nonce = scalarOf(randomBytes(64)) || 1n;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const { scalar } = ed25519.utils.getExtendedPublicKey(signer.secretKey.slice(0, 32));
  const challenge = createHash('sha512').update(commitment).update(signer.publicKey.toBytes()).update(message).digest();
  const response = (nonce + scalarOf(challenge) * scalar) % order;
  const responseBytes = Buffer.from(response.toString(16).padStart(64, '0'), 'hex').reverse();
  transaction.signatures[0] = Buffer.concat([commitment, responseBytes]);
  return transaction;
}
