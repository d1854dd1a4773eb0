import {
  type AccountInfo,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  PublicKey,
  SystemProgram,
  SYSVAR_RECENT_BLOCKHASHES_PUBKEY,
  SYSVAR_RENT_PUBKEY,
  TransactionInstruction,
} from '@solana/web3.js';
import type { Stamp } from '../lanes/stamp.ts';
import { agreedOn } from '../rpc/endpoints.ts';
import type { Rpc } from '../rpc/rpc.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import type { SignedTransaction } from '../transactions/compile.ts';
import { signPurposed } from '../transactions/purposed.ts';

/** A durable nonce as it stands on the chain. */
export interface NonceState {
  /** What a transaction carries in place of a blockhash, base58. */
  readonly nonce: string;
  /** Who may advance it, base58. */
  readonly authority: string;
  /** Slot that a quorum of those who agree on it has reached. */
  readonly slot: number;
}

/** A transaction of the platform's own on a nonce account. */
export interface NonceRequest {
  /** Pays, and is the nonce's authority. */
  readonly platform: TransactionSigner;
  readonly mint: PublicKey;
  readonly stamp: Stamp;
  /** micro-lamports per compute unit */
  readonly computeUnitPrice: bigint;
}

/** Seeds of a derived address have at most 32 bytes. */
const SEED_LENGTH = 32;
const NONCE_COMPUTE_UNITS = 20_000;
/** `SystemInstruction::InitializeNonceAccount`, followed by the authority (solana-program, system_instruction.rs). */
const INITIALIZE_NONCE = 6;

/**
 * Address of a launch's nonce account. It follows from platform wallet and mint, so a second one cannot be made, and a
 * database that lost the row finds it again.
 */
export function nonceAddress(platform: PublicKey, mint: PublicKey): Promise<PublicKey> {
  return PublicKey.createWithSeed(platform, seedOf(mint), SystemProgram.programId);
}

/** Rent of a nonce account, in lamports. */
export function nonceRent(rpc: Pick<Rpc, 'agreedRent'>): Promise<bigint> {
  return rpc.agreedRent(NONCE_ACCOUNT_LENGTH);
}

/**
 * Makes a launch's nonce account, paid by the platform. Transfer, allocation and initialisation rather than the one
 * `createAccountWithSeed`, which fails where a stranger has sent a lamport to the address before.
 */
export async function buildNonceAccount(request: NonceRequest, rentLamports: bigint): Promise<SignedTransaction> {
  const { platform, mint } = request;
  const payer = platform.publicKey;
  const account = await nonceAddress(payer, mint);
  const [seed, programId] = [seedOf(mint), SystemProgram.programId];
  return signOwn(request, [
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: account, lamports: rentLamports }),
    SystemProgram.allocate({ accountPubkey: account, basePubkey: payer, seed, programId, space: NONCE_ACCOUNT_LENGTH }),
    initializeNonce(account, payer),
  ]);
}

/** Advances a nonce: whatever was signed on its present value can never land any more. */
export function buildNonceAdvance(request: NonceRequest, nonceAccount: PublicKey): Promise<SignedTransaction> {
  return signOwn(request, [advanceNonce(nonceAccount, request.platform.publicKey)]);
}

/** The instruction that advances a nonce; first in every transaction that carries its value. */
export function advanceNonce(noncePubkey: PublicKey, authorizedPubkey: PublicKey): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey });
}

/**
 * A nonce account at `confirmed` as a quorum of endpoints has it; null where it says that there is none (yet).
 * @throws RpcUnavailableError when no quorum says the same, as while it is being advanced.
 */
export async function readNonce(rpc: Pick<Rpc, 'accountTestimonies'>, account: PublicKey): Promise<NonceState | null> {
  const address = account.toBase58();
  const said = await rpc.accountTestimonies([address], 'confirmed');
  const agreed = said.agreedAt(address, (info) => info && parseNonce(info));
  const { value, slot } = agreedOn(agreed, `nonce ${address}`);
  return value && { ...value, slot };
}

/** Nonce and authority in an account's bytes; null where it is no initialised nonce account. */
export function parseNonce({
  owner,
  data,
}: Pick<AccountInfo<Buffer>, 'owner' | 'data'>): Omit<NonceState, 'slot'> | null {
  // Version 1 (current) and state 1 (initialised), each a little-endian u32.
  const isInitialised =
    data.length === NONCE_ACCOUNT_LENGTH && data.readUInt32LE(0) === 1 && data.readUInt32LE(4) === 1;
  if (!owner.equals(SystemProgram.programId) || !isInitialised) return null;
  const { nonce, authorizedPubkey } = NonceAccount.fromAccountData(data);
  return { nonce, authority: authorizedPubkey.toBase58() };
}

function seedOf(mint: PublicKey): string {
  return mint.toBase58().slice(0, SEED_LENGTH);
}

/** web3.js offers it only together with the creation of the account. */
function initializeNonce(account: PublicKey, authority: PublicKey): TransactionInstruction {
  const data = Buffer.alloc(4 + 32);
  data.writeUInt32LE(INITIALIZE_NONCE, 0);
  data.set(authority.toBytes(), 4);
  const readonly = { isSigner: false, isWritable: false };
  return new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [
      { pubkey: account, isSigner: false, isWritable: true },
      { pubkey: SYSVAR_RECENT_BLOCKHASHES_PUBKEY, ...readonly },
      { pubkey: SYSVAR_RENT_PUBKEY, ...readonly },
    ],
    data,
  });
}

function signOwn(request: NonceRequest, instructions: TransactionInstruction[]): Promise<SignedTransaction> {
  const { platform, stamp, computeUnitPrice } = request;
  const frame = { stamp, payer: platform, wallet: platform, computeUnitPrice };
  return signPurposed(frame, { instructions, signers: [], computeUnits: NONCE_COMPUTE_UNITS });
}
