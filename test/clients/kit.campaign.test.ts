import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  type Base58EncodedBytes,
  compressTransactionMessageUsingAddressLookupTables,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Rpc,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type SolanaRpcApi,
  addSignersToTransactionMessage,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit';
import { createInitializeMint2Instruction, MINT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { AddressLookupTableProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { HOLDERS, seedHolders } from '../support/clients/holders.ts';
import { token2022MintInstructions } from '../support/clients/token-2022-mint.ts';

const SOL = 1_000_000_000n;
const confirmed = { commitment: 'confirmed' } as const;

let chain: Localnet;
let rpc: Rpc<SolanaRpcApi>;
let sendAndConfirm: ReturnType<typeof sendAndConfirmTransactionFactory>;
let wallet: KeyPairSigner;
beforeAll(async () => {
  chain = await startLocalnet({ slotMs: 40 });
  rpc = createSolanaRpcFromTransport(createDefaultRpcTransport({ url: chain.rpcUrl }));
  const rpcSubscriptions = createSolanaRpcSubscriptions(chain.wsUrl);
  sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
  wallet = await generateKeyPairSigner();
  chain.control.fund(wallet.address, 100n * SOL);
  chain.control.advanceSlots(2);
});
afterAll(() => chain.close());

async function someone(): Promise<Address> {
  return (await generateKeyPairSigner()).address;
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/** An instruction made by a web3.js based package, as kit takes it. */
function toKit({ programId, keys, data }: TransactionInstruction): Instruction {
  return {
    programAddress: address(programId.toBase58()),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
      address: address(pubkey.toBase58()),
      role: roleOf(isSigner, isWritable),
    })),
    data,
  };
}

const key = (of: Address): PublicKey => new PublicKey(of);

function transfer(to: Address, amount: bigint): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: key(wallet.address), toPubkey: key(to), lamports: amount });
}

type Tables = Parameters<typeof compressTransactionMessageUsingAddressLookupTables>[1];

async function signed(instructions: TransactionInstruction[], signers: KeyPairSigner[] = [], tables: Tables = {}) {
  const { value } = await rpc.getLatestBlockhash(confirmed).send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(wallet, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
    (alive) => appendTransactionMessageInstructions(instructions.map(toKit), alive),
    (full) => compressTransactionMessageUsingAddressLookupTables(full, tables),
    (short) => addSignersToTransactionMessage(signers, short),
  );
  const transaction = await signTransactionMessageWithSigners(message);
  assertIsTransactionWithBlockhashLifetime(transaction);
  return transaction;
}

type Signed = Awaited<ReturnType<typeof signed>>;

async function land(transaction: Signed, skipPreflight = false): Promise<void> {
  await sendAndConfirm(transaction, { ...confirmed, skipPreflight });
}

async function balance(of: Address): Promise<bigint> {
  return (await rpc.getBalance(of, confirmed).send()).value;
}

const rentOf = async (bytes: number): Promise<number> =>
  Number(await rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send());

test('kit transfers SOL', async () => {
  const to = await someone();
  await land(await signed([transfer(to, SOL)]));
  expect(await balance(to)).toBe(SOL);
});

test('kit asks for an airdrop', async () => {
  const to = await someone();
  await rpc.requestAirdrop(to, lamports(SOL)).send();
  expect((await rpc.getBalance(to, { commitment: 'processed' }).send()).value).toBe(SOL);
});

test('kit creates a classic mint', async () => {
  const mint = await generateKeyPairSigner();
  const [payer, newAccountPubkey] = [key(wallet.address), key(mint.address)];
  const space = MINT_SIZE;
  const account = {
    fromPubkey: payer,
    newAccountPubkey,
    space,
    lamports: await rentOf(space),
    programId: TOKEN_PROGRAM_ID,
  };
  const create = SystemProgram.createAccount(account);
  await land(await signed([create, createInitializeMint2Instruction(newAccountPubkey, 9, payer, null)], [mint]));
  const { value } = await rpc.getAccountInfo(mint.address, { ...confirmed, encoding: 'jsonParsed' }).send();
  expect(value?.data).toMatchObject({ program: 'spl-token', parsed: { type: 'mint', info: { decimals: 9 } } });
  expect((await rpc.getTokenSupply(mint.address, confirmed).send()).value.amount).toBe('0');
});

test('kit creates a Token-2022 mint with a transfer fee and metadata', async () => {
  const mint = await generateKeyPairSigner();
  const instructions = await token2022MintInstructions(key(wallet.address), key(mint.address), rentOf);
  await land(await signed(instructions, [mint]));
  const { value } = await rpc.getAccountInfo(mint.address, { ...confirmed, encoding: 'jsonParsed' }).send();
  const extensions = [
    { extension: 'transferFeeConfig', state: { newerTransferFee: { transferFeeBasisPoints: 100 } } },
    { extension: 'metadataPointer', state: { metadataAddress: mint.address } },
    { extension: 'tokenMetadata', state: { name: 'Slip', symbol: 'SLIP' } },
  ];
  expect(value?.data).toMatchObject({ program: 'spl-token-2022', parsed: { type: 'mint', info: { extensions } } });
});

test('kit uses a lookup table', async () => {
  const to = await someone();
  const authority = key(wallet.address);
  const recentSlot = Number(await rpc.getSlot({ commitment: 'finalized' }).send());
  const [create, table] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot });
  const addresses = [key(to)];
  const extend = AddressLookupTableProgram.extendLookupTable({
    lookupTable: table,
    authority,
    payer: authority,
    addresses,
  });
  await land(await signed([create, extend]));
  // A table's addresses can be used from the slot after they were added, in the confirmed preflight too.
  chain.control.advanceSlots(2);
  const transaction = await signed([transfer(to, SOL)], [], { [table.toBase58()]: [to] });
  await land(transaction);
  const signature = getSignatureFromTransaction(transaction);
  const found = await rpc
    .getTransaction(signature, { ...confirmed, encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send();
  expect(found?.meta?.loadedAddresses?.writable).toEqual([to]);
});

test('kit reads 6,000 holders', async () => {
  const bytes = seedHolders(chain);
  const memcmp = { offset: 0n, bytes: bytes as Base58EncodedBytes, encoding: 'base58' } as const;
  const filters = [{ dataSize: 165n }, { memcmp }];
  const found = await rpc
    .getProgramAccounts(address(TOKEN_PROGRAM_ID.toBase58()), {
      ...confirmed,
      encoding: 'base64',
      filters,
    })
    .send();
  expect(found).toHaveLength(HOLDERS);
});

test("kit sees a failed transaction's fee", async () => {
  const transaction = await signed([transfer(await someone(), 9_000n * SOL)]);
  await expect(land(transaction, true)).rejects.toThrow();
  chain.control.advanceSlots(2);
  const signature = getSignatureFromTransaction(transaction);
  const found = await rpc
    .getTransaction(signature, { ...confirmed, encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send();
  expect(found?.meta?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
  expect(found?.meta?.fee).toBe(5000n);
  const [before = 0n, after = 0n] = [found?.meta?.preBalances[0], found?.meta?.postBalances[0]];
  expect(before - after).toBe(5000n);
});

test('kit sees an expired blockhash', async () => {
  const wire = getBase64EncodedWireTransaction(await signed([transfer(await someone(), SOL)]));
  chain.control.expireBlockhashes();
  const sent = rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
  const error: unknown = await sent.catch((reason: unknown) => reason);
  expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
  expect(String(isSolanaError(error) ? error.cause : error)).toMatch(/blockhash/i);
});

test('kit sees a skipped slot', async () => {
  const slot = await rpc.getSlot({ commitment: 'processed' }).send();
  chain.control.skipNextSlots(3);
  chain.control.advanceSlots(3);
  const blocks = await rpc.getBlocks(slot, slot + 5n, confirmed).send();
  const skipped = [slot, slot + 1n, slot + 2n, slot + 3n, slot + 4n].find((one) => !blocks.includes(one));
  await expect(rpc.getBlock(skipped ?? 0n, { ...confirmed, maxSupportedTransactionVersion: 0 }).send()).rejects.toThrow(
    /skipped/,
  );
});
