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

export interface NonceState {
  /** base58 */
  readonly nonce: string;
  /** base58 */
  readonly authority: string;
  /** Reached by a quorum of the agreeing endpoints. */
  readonly slot: number;
}

export interface NonceRequest {
  /** Pays; the nonce's authority. */
  readonly platform: TransactionSigner;
  readonly mint: PublicKey;
  readonly stamp: Stamp;
  readonly computeUnitPrice: bigint;
}

const SEED_LENGTH = 32;
const NONCE_COMPUTE_UNITS = 20_000;
/** `SystemInstruction::InitializeNonceAccount`; the authority follows (solana-program, system_instruction.rs). */
const INITIALIZE_NONCE = 6;

/** Derives the address from platform wallet and mint: there is no second account, and a lost row can be found again. */
export function nonceAddress(platform: PublicKey, mint: PublicKey): Promise<PublicKey> {
  return PublicKey.createWithSeed(platform, seedOf(mint), SystemProgram.programId);
}

export function nonceRent(rpc: Pick<Rpc, 'agreedRent'>): Promise<bigint> {
  return rpc.agreedRent(NONCE_ACCOUNT_LENGTH);
}

/** `createAccountWithSeed` fails if a stranger sent a lamport to the address. */
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

/** Advances the nonce: transactions on the current value can then never land. */
export function buildNonceAdvance(request: NonceRequest, nonceAccount: PublicKey): Promise<SignedTransaction> {
  return signOwn(request, [advanceNonce(nonceAccount, request.platform.publicKey)]);
}

/** Builds the instruction that comes first in every transaction that uses the nonce. */
export function advanceNonce(noncePubkey: PublicKey, authorizedPubkey: PublicKey): TransactionInstruction {
  return SystemProgram.nonceAdvance({ noncePubkey, authorizedPubkey });
}

/**
 * Reads the nonce at `confirmed`; null if a quorum shows none (yet).
 *
 * @throws RpcUnavailableError without a quorum, for instance while the nonce advances
 */
export async function readNonce(rpc: Pick<Rpc, 'accountsByEndpoint'>, account: PublicKey): Promise<NonceState | null> {
  const address = account.toBase58();
  const said = await rpc.accountsByEndpoint([address], 'confirmed');
  const agreed = said.agreedAt(address, (info) => info && parseNonce(info));
  const { value, slot } = agreedOn(agreed, `nonce ${address}`);
  return value && { ...value, slot };
}

/** Null unless initialised. */
export function parseNonce({
  owner,
  data,
}: Pick<AccountInfo<Buffer>, 'owner' | 'data'>): Omit<NonceState, 'slot'> | null {
  // Version 1 (current) and state 1 (initialised), little-endian u32.
  const isInitialised =
    data.length === NONCE_ACCOUNT_LENGTH && data.readUInt32LE(0) === 1 && data.readUInt32LE(4) === 1;
  if (!owner.equals(SystemProgram.programId) || !isInitialised) return null;
  const { nonce, authorizedPubkey } = NonceAccount.fromAccountData(data);
  return { nonce, authority: authorizedPubkey.toBase58() };
}

function seedOf(mint: PublicKey): string {
  return mint.toBase58().slice(0, SEED_LENGTH);
}

/** Builds the initialization, which web3.js offers only with account creation. */
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
