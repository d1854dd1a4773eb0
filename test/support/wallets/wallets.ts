import {
  ComputeBudgetInstruction,
  ComputeBudgetProgram,
  type PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { LIGHTHOUSE_PROGRAM_ID } from '../../../chain/transactions/wallet-changes.ts';

/** Changes the instructions of a transaction before its holder signs it. */
export type Change = (instructions: readonly TransactionInstruction[], holder: PublicKey) => TransactionInstruction[];

/** A read-only assertion about some accounts: one byte of kind, and so many bytes in all. */
export function guard(accounts: readonly PublicKey[], bytes = 17, kind = 5): TransactionInstruction {
  return new TransactionInstruction({
    programId: LIGHTHOUSE_PROGRAM_ID,
    keys: accounts.map((pubkey) => ({ pubkey, isSigner: false, isWritable: false })),
    data: Buffer.from(Array.from({ length: bytes }, (_, index) => (index === 0 ? kind : 1))),
  });
}

const isPrice = ({ programId, data }: TransactionInstruction) =>
  programId.equals(ComputeBudgetProgram.programId) && data[0] === 3;
const isLimit = ({ programId, data }: TransactionInstruction) =>
  programId.equals(ComputeBudgetProgram.programId) && data[0] === 2;

/** Sets the compute price to at least so many micro-lamports. */
export const pricedAtLeast =
  (microLamports: bigint): Change =>
  (instructions) =>
    instructions.map((instruction) => {
      if (!isPrice(instruction)) return instruction;
      const issued = ComputeBudgetInstruction.decodeSetComputeUnitPrice(instruction).microLamports;
      return BigInt(issued) >= microLamports
        ? instruction
        : ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
    });

/** Replaces the compute limit. */
export const limitedTo =
  (units: number): Change =>
  (instructions) =>
    instructions.map((instruction) =>
      isLimit(instruction) ? ComputeBudgetProgram.setComputeUnitLimit({ units }) : instruction,
    );

/** Puts instructions where the compute budget ends, which is where wallets put what must run before the work. */
export const between =
  (...added: ((holder: PublicKey) => TransactionInstruction)[]): Change =>
  (instructions, holder) => {
    const at = instructions.findLastIndex((one) => one.programId.equals(ComputeBudgetProgram.programId)) + 1;
    return instructions.toSpliced(at, 0, ...added.map((make) => make(holder)));
  };

/** Puts instructions behind all others. */
export const behind =
  (...added: ((holder: PublicKey) => TransactionInstruction)[]): Change =>
  (instructions, holder) => [...instructions, ...added.map((make) => make(holder))];

const unchanged: Change = (instructions) => [...instructions];
const chain =
  (...changes: Change[]): Change =>
  (instructions, holder) =>
    changes.reduce<TransactionInstruction[]>((done, change) => change(done, holder), [...instructions]);

/** A wallet, and what it makes of a transaction that another program prepared. */
export interface Wallet {
  readonly name: string;
  /** With the public threads that say so: docs/launch-a-token.md shows it. */
  readonly reported: string;
  readonly change: Change;
}

/** What wallets do, by their public documents and what was reported of them. */
export const WALLETS: readonly Wallet[] = [
  {
    name: 'Phantom',
    reported:
      'three assertions between and one behind; sets compute limit and price only where there are none (x402-foundation/x402#3318, #2097; Virus-Axel/godot-solana-sdk#110)',
    change: chain(
      between(
        (holder) => guard([holder], 17),
        (holder) => guard([holder], 52),
        (holder) => guard([holder], 16),
      ),
      behind((holder) => guard([holder], 27)),
    ),
  },
  {
    name: 'Solflare',
    reported:
      'nothing, or two assertions behind; limit and price as Phantom (x402-foundation/x402#991, #828; otter-sec/anchor#3486)',
    change: behind(
      (holder) => guard([holder], 17),
      (holder) => guard([holder], 27),
    ),
  },
  {
    name: 'Seed Vault',
    reported:
      'raises a compute price below 100,000 micro-lamports to that; adds a memo (solana-mobile/mobile-wallet-adapter#1459; loyal-labs/loyal-app#599)',
    change: chain(
      pricedAtLeast(100_000n),
      behind(() => memoInstruction('Seed Vault')),
    ),
  },
  {
    name: 'Backpack',
    reported: 'nothing; its holder may choose a priority fee (x402-foundation/x402#828; coral-xyz/backpack#1900)',
    change: pricedAtLeast(150_000n),
  },
  { name: 'Ledger', reported: "nothing: the device signs its host's bytes (LedgerHQ/app-solana)", change: unchanged },
  {
    name: 'Trezor',
    reported: "nothing: the device signs its host's bytes (trezor/trezor-suite#26763)",
    change: unchanged,
  },
  { name: 'MetaMask', reported: 'nothing that was reported', change: unchanged },
  {
    name: 'Trust Wallet',
    reported: 'has functions that set price and limit again (trustwallet/wallet-core#4085, #4082)',
    change: chain(pricedAtLeast(200_000n), limitedTo(400_000)),
  },
  { name: 'OKX Wallet', reported: 'nothing that was reported', change: unchanged },
  {
    name: 'Brave Wallet',
    reported: 'nothing: it shows the compute budget (brave/brave-browser#35866)',
    change: unchanged,
  },
  { name: 'Glow', reported: 'nothing that was reported', change: unchanged },
];

/** A base64 transaction as a wallet signs it after its change: compiled anew where it changes anything. */
export function changed(transaction: VersionedTransaction, change: Change): VersionedTransaction {
  const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(transaction.message);
  const legacy = new Transaction();
  legacy.feePayer = payerKey;
  legacy.recentBlockhash = recentBlockhash;
  return new VersionedTransaction(legacy.add(...change(instructions, payerKey)).compileMessage());
}
