import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createInitializeTransferFeeConfigInstruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  ExtensionType,
  getAssociatedTokenAddressSync,
  getMintLen,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  type Connection,
  Keypair,
  type PublicKey,
  SystemProgram,
  type TransactionInstruction,
  type VersionedTransaction,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import type { InstructionGroup } from '../../../chain/exchange/exchange.ts';
import { compileTransaction, MAX_TRANSACTION_BYTES } from '../../../chain/transactions/compile.ts';
import type { AgreedLookupTable } from '../../../chain/transactions/lookup-table.ts';
import { memoInstruction } from '../../../chain/transactions/memo.ts';
import { signTransaction } from '../../../chain/transactions/sign-transaction.ts';
import { tableOn } from './agreed-table.ts';
import { WAIT_MS } from '../platform/eventually.ts';
import type { TokenInfo } from '../../../chain/tokens/token.ts';

/** A transaction as it landed: `err` is null when it succeeded. */
export interface Landed {
  readonly signature: string;
  readonly err: unknown;
  readonly bytes: number;
  readonly response: VersionedTransactionResponse;
}

type Send = [
  payer: Keypair,
  group: InstructionGroup,
  signers?: readonly Keypair[],
  lookupTables?: readonly AgreedLookupTable[],
];

/** What a test does on a chain. All sends wait for `confirmed`. */
export interface TestChain {
  readonly connection: Connection;
  /** Pays for everything that no party of a test pays for. */
  readonly bank: Keypair;
  fund(wallet: PublicKey, lamports: number): Promise<void>;
  /** Lands instructions with a purpose memo beside them and answers how; throws when they do not land at all. */
  land(...send: Send): Promise<Landed>;
  /** As `land`, but throws when the transaction failed. */
  succeed(...send: Send): Promise<Landed>;
  /** A usable lookup table of these addresses. */
  createLookupTable(addresses: PublicKey[]): Promise<AgreedLookupTable>;
  createToken(token: TokenInfo, mint: Keypair, supply: bigint, owner: PublicKey): Promise<PublicKey>;
  openAccount(token: TokenInfo, owner: PublicKey): Promise<PublicKey>;
  /** Sends raw units from the bank to a wallet's associated account. */
  give(token: TokenInfo, owner: PublicKey, amount: bigint): Promise<PublicKey>;
  /** Balance in raw units; 0 where the account does not exist. */
  balance(account: PublicKey): Promise<bigint>;
}

const POLL_MS = 25;
const MEMO = 'contract/0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e/3';

/** Wraps a connection for tests. `airdrop` puts lamports into a wallet. */
export async function createTestChain(
  connection: Connection,
  airdrop: (wallet: PublicKey, lamports: number) => Promise<void>,
): Promise<TestChain> {
  const bank = Keypair.generate();
  await airdrop(bank.publicKey, 1_000_000_000_000);

  async function land(...[payer, group, signers = [], lookupTables = []]: Send): Promise<Landed> {
    const { blockhash } = await connection.getLatestBlockhash('confirmed');
    const transaction = compileTransaction({
      payer: payer.publicKey,
      instructions: [...group.instructions, memoInstruction(MEMO)],
      computeUnits: group.computeUnits + 30_000,
      computeUnitPrice: 1_000n,
      blockhash,
      lookupTables,
    });
    const { signature, wire } = await signTransaction(
      transaction,
      requiredOf(transaction, [payer, ...signers, ...group.signers]),
    );
    if (wire.length > MAX_TRANSACTION_BYTES) throw new RangeError(`${wire.length} bytes do not fit a packet`);
    await connection.sendRawTransaction(wire, { skipPreflight: true, maxRetries: 0 });
    const response = await landedTransaction(connection, signature);
    return { signature, err: response.meta?.err ?? null, bytes: wire.length, response };
  }

  async function succeed(...send: Send): Promise<Landed> {
    const landed = await land(...send);
    if (landed.err === null) return landed;
    throw new Error(`${JSON.stringify(landed.err)}\n${landed.response.meta?.logMessages?.join('\n') ?? ''}`);
  }

  return {
    connection,
    bank,
    land,
    succeed,
    async createLookupTable(addresses) {
      const recentSlot = await connection.getSlot('finalized');
      const parties = { authority: bank.publicKey, payer: bank.publicKey };
      const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({ ...parties, recentSlot });
      const extend = AddressLookupTableProgram.extendLookupTable({ ...parties, lookupTable, addresses });
      const { response } = await succeed(bank, groupOf([create, extend]));
      // A table's addresses are usable one slot after they were added.
      while ((await connection.getSlot('confirmed')) <= response.slot + 1) await pause();
      return tableOn(connection, lookupTable);
    },
    async fund(wallet, lamports) {
      const transfer = SystemProgram.transfer({ fromPubkey: bank.publicKey, toPubkey: wallet, lamports });
      await succeed(bank, groupOf([transfer]));
    },
    async createToken(token, mint, supply, owner) {
      const rent = await connection.getMinimumBalanceForRentExemption(mintBytes(token));
      await succeed(bank, groupOf(mintInstructions(token, bank.publicKey, rent, supply, owner)), [mint]);
      return accountOf(token, owner);
    },
    async openAccount(token, owner) {
      await succeed(bank, groupOf([openAccountInstruction(token, bank.publicKey, owner)]));
      return accountOf(token, owner);
    },
    async give(token, owner, amount) {
      const [from, to] = [accountOf(token, bank.publicKey), accountOf(token, owner)];
      const instructions = [
        openAccountInstruction(token, bank.publicKey, owner),
        transferInstruction(token, from, to, bank.publicKey, amount),
      ];
      await succeed(bank, groupOf(instructions));
      return to;
    },
    async balance(account) {
      const info = await connection.getAccountInfo(account, 'confirmed');
      return info ? info.data.readBigUInt64LE(64) : 0n;
    },
  };
}

/** Instructions of a test's own, without an adapter. */
export function groupOf(instructions: TransactionInstruction[]): InstructionGroup {
  return { instructions, signers: [], computeUnits: 200_000, lookupAddresses: [] };
}

/** The associated account of a wallet. */
export function accountOf(token: TokenInfo, owner: PublicKey): PublicKey {
  return getAssociatedTokenAddressSync(token.mint, owner, true, token.tokenProgram);
}

/** A checked transfer between two accounts of a token. */
export function transferInstruction(
  { mint, decimals, tokenProgram }: TokenInfo,
  from: PublicKey,
  to: PublicKey,
  owner: PublicKey,
  amount: bigint,
): TransactionInstruction {
  return createTransferCheckedInstruction(from, mint, to, owner, amount, decimals, [], tokenProgram);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function landedTransaction(connection: Connection, signature: string): Promise<VersionedTransactionResponse> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const response = await connection.getTransaction(signature, options);
    if (response) return response;
    await pause();
  }
  throw new Error(`transaction ${signature} did not land within ${WAIT_MS} ms`);
}

/** Of these keys, those that the transaction must be signed with. */
function requiredOf({ message }: VersionedTransaction, keys: readonly Keypair[]): Keypair[] {
  const required = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  return required.flatMap((signer) => keys.find(({ publicKey }) => publicKey.equals(signer)) ?? []);
}

function mintBytes(token: TokenInfo): number {
  return getMintLen(token.transferFee ? [ExtensionType.TransferFeeConfig] : []);
}

function openAccountInstruction(token: TokenInfo, payer: PublicKey, owner: PublicKey): TransactionInstruction {
  const { mint, tokenProgram } = token;
  return createAssociatedTokenAccountIdempotentInstruction(payer, accountOf(token, owner), owner, mint, tokenProgram);
}

function mintInstructions(
  token: TokenInfo,
  payer: PublicKey,
  lamports: number,
  supply: bigint,
  owner: PublicKey,
): TransactionInstruction[] {
  const { mint, decimals, tokenProgram, transferFee } = token;
  const create = {
    fromPubkey: payer,
    newAccountPubkey: mint,
    lamports,
    space: mintBytes(token),
    programId: tokenProgram,
  };
  const tax = transferFee
    ? [
        createInitializeTransferFeeConfigInstruction(
          mint,
          null,
          payer,
          transferFee.bps,
          transferFee.maximumRaw,
          tokenProgram,
        ),
      ]
    : [];
  const dropMint = createSetAuthorityInstruction(mint, payer, AuthorityType.MintTokens, null, [], tokenProgram);
  return [
    SystemProgram.createAccount(create),
    ...tax,
    createInitializeMint2Instruction(mint, decimals, payer, null, tokenProgram),
    openAccountInstruction(token, payer, owner),
    createMintToInstruction(mint, accountOf(token, owner), payer, supply, [], tokenProgram),
    dropMint,
  ];
}
