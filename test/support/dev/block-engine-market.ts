import { Keypair, type PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { createRpc, type Rpc } from '../../../chain/rpc/rpc.ts';
import { signatureOf } from '../../../chain/transactions/compile.ts';
import { type Localnet, startLocalnet } from '../../../dev/localnet/index.ts';

/** ms per slot in tests: finality, 31 slots, takes under a second. */
export const SLOT_MS = 25;

/** A signed bundle. */
export interface TestBundle {
  readonly wires: Uint8Array[];
  readonly signatures: string[];
  /** Account that each transaction's transfer creates. */
  readonly recipients: PublicKey[];
}

/** A local chain with a funded wallet. */
export interface Market {
  readonly chain: Localnet;
  readonly rpc: Rpc;
  readonly wallet: Keypair;
  /** A bundle of `length` transfers whose last transaction pays the tip. `spoilt`: index of a transfer that must fail. */
  bundle(tipAccount: PublicKey, length: number, how?: { tip?: number; spoilt?: number }): Promise<TestBundle>;
  /** Slots in which transactions landed, null for those that did not. */
  slotsOf(signatures: readonly string[]): Promise<(number | null)[]>;
}

const TRANSFER_LAMPORTS = 10_000_000;
const WALLET_LAMPORTS = 100_000_000_000n;

/** Starts a chain in memory; `chain.close()` ends it. */
export async function startMarket(): Promise<Market> {
  const chain = await startLocalnet({ slotMs: SLOT_MS });
  const rpc = createRpc({ endpoints: [chain.rpcUrl] });
  const wallet = Keypair.generate();
  chain.control.fund(wallet.publicKey.toBase58(), WALLET_LAMPORTS);
  return {
    chain,
    rpc,
    wallet,
    async bundle(tipAccount, length, { tip = 10_000, spoilt = -1 } = {}) {
      const { blockhash } = await rpc.latestBlockhash();
      const recipients = Array.from({ length }, () => Keypair.generate().publicKey);
      const transactions = recipients.map((recipient, index) => {
        const lamports = index === spoilt ? Number(WALLET_LAMPORTS) * 2 : TRANSFER_LAMPORTS;
        const transfers = [{ toPubkey: recipient, lamports }];
        if (index === length - 1) transfers.push({ toPubkey: tipAccount, lamports: tip });
        return transferTransaction(wallet, blockhash, transfers);
      });
      return {
        recipients,
        wires: transactions.map((one) => one.serialize()),
        signatures: transactions.map(signatureOf),
      };
    },
    async slotsOf(signatures) {
      return (await rpc.signatureStatuses(signatures)).map((status) => status?.slot ?? null);
    },
  };
}

function transferTransaction(
  from: Keypair,
  recentBlockhash: string,
  transfers: readonly { toPubkey: PublicKey; lamports: number }[],
): VersionedTransaction {
  const instructions = transfers.map((transfer) => SystemProgram.transfer({ fromPubkey: from.publicKey, ...transfer }));
  const message = new TransactionMessage({ payerKey: from.publicKey, recentBlockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([from]);
  return transaction;
}
