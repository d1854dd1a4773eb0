import {
  createAssociatedTokenAccount,
  createMint,
  getMint,
  getTokenMetadata,
  getTransferFeeConfig,
  mintTo,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Localnet, startLocalnet } from '../../dev/localnet/index.ts';
import { endSubscriptions } from '../support/clients/end-subscriptions.ts';
import { HOLDERS, seedHolders } from '../support/clients/holders.ts';
import { token2022MintInstructions } from '../support/clients/token-2022-mint.ts';

const SOL = 1_000_000_000;

let chain: Localnet;
let connection: Connection;
let wallet: Keypair;
beforeAll(async () => {
  chain = await startLocalnet({ slotMs: 40 });
  // As any user would: the websocket is looked for on the next port.
  connection = new Connection(chain.rpcUrl, 'confirmed');
  wallet = Keypair.generate();
  await connection.confirmTransaction(await connection.requestAirdrop(wallet.publicKey, 100 * SOL));
});
afterAll(async () => {
  endSubscriptions(connection);
  await chain.close();
});

function someone(): PublicKey {
  return new PublicKey(randomBytes(32));
}

function transfer(to: PublicKey, lamports: number): TransactionInstruction {
  return SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports });
}

function send(...instructions: TransactionInstruction[]): Promise<string> {
  return sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [wallet]);
}

test('web3.js transfers SOL', async () => {
  const to = someone();
  const signature = await send(transfer(to, SOL));
  expect(await connection.getBalance(to)).toBe(SOL);
  const found = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(found?.transaction.message.instructions[0]).toMatchObject({ parsed: { type: 'transfer' } });
});

test('web3.js creates a classic mint', async () => {
  const mint = await createMint(connection, wallet, wallet.publicKey, null, 9);
  const account = await createAssociatedTokenAccount(connection, wallet, mint, wallet.publicKey);
  await mintTo(connection, wallet, mint, account, wallet, 5_000_000_000n);
  expect((await getMint(connection, mint)).supply).toBe(5_000_000_000n);
  expect((await connection.getTokenAccountBalance(account)).value.uiAmountString).toBe('5');
});

test('web3.js creates a Token-2022 mint with a transfer fee and metadata', async () => {
  const mint = Keypair.generate();
  const rentOf = (bytes: number): Promise<number> => connection.getMinimumBalanceForRentExemption(bytes);
  const instructions = await token2022MintInstructions(wallet.publicKey, mint.publicKey, rentOf);
  await sendAndConfirmTransaction(connection, new Transaction().add(...instructions), [wallet, mint]);
  const read = await getMint(connection, mint.publicKey, 'confirmed', TOKEN_2022_PROGRAM_ID);
  expect(getTransferFeeConfig(read)?.newerTransferFee.transferFeeBasisPoints).toBe(100);
  expect((await getTokenMetadata(connection, mint.publicKey, 'confirmed'))?.symbol).toBe('SLIP');
  const parsed = await connection.getParsedAccountInfo(mint.publicKey);
  expect(JSON.stringify(parsed.value?.data)).toContain('"transferFeeBasisPoints":100');
});

test('web3.js uses a lookup table', async () => {
  const to = someone();
  const authority = wallet.publicKey;
  const recentSlot = await connection.getSlot('finalized');
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  });
  await send(
    create,
    AddressLookupTableProgram.extendLookupTable({ lookupTable, authority, payer: authority, addresses: [to] }),
  );
  // A table's addresses can be used from the slot after they were added, in the confirmed preflight too.
  chain.control.advanceSlots(2);
  const { value: table } = await connection.getAddressLookupTable(lookupTable);
  const latest = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: authority,
    recentBlockhash: latest.blockhash,
    instructions: [transfer(to, SOL)],
  }).compileToV0Message(table ? [table] : []);
  expect(message.addressTableLookups).toHaveLength(1);
  const transaction = new VersionedTransaction(message);
  transaction.sign([wallet]);
  const signature = await connection.sendTransaction(transaction);
  await connection.confirmTransaction({ signature, ...latest });
  expect(await connection.getBalance(to)).toBe(SOL);
});

test('web3.js reads 6,000 holders', async () => {
  const mint = seedHolders(chain);
  const filters = [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: mint } }];
  const found = await connection.getProgramAccounts(TOKEN_PROGRAM_ID, {
    filters,
    dataSlice: { offset: 32, length: 40 },
  });
  expect(found).toHaveLength(HOLDERS);
});

test("web3.js sees a failed transaction's fee", async () => {
  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: wallet.publicKey, ...latest }).add(transfer(someone(), 9_000 * SOL));
  transaction.sign(wallet);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  const { value: status } = await connection.getSignatureStatus(signature);
  expect(status?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  chain.control.advanceSlots(2);
  const meta = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta;
  expect((meta?.preBalances[0] ?? 0) - (meta?.postBalances[0] ?? 0)).toBe(meta?.fee);
  expect(meta?.fee).toBe(5000);
});

test('web3.js sees an expired blockhash', async () => {
  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: wallet.publicKey, ...latest }).add(transfer(someone(), SOL));
  transaction.sign(wallet);
  chain.control.expireBlockhashes();
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(/Blockhash not found/);
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
  await expect(connection.confirmTransaction({ signature, ...latest })).rejects.toThrow(/block height exceeded/);
});

test('web3.js sees a skipped slot', async () => {
  const slot = await connection.getSlot('processed');
  chain.control.skipNextSlots(3);
  chain.control.advanceSlots(3);
  const blocks = await connection.getBlocks(slot, slot + 5);
  expect(blocks.length).toBeLessThan(6);
  const skipped = Array.from({ length: 5 }, (_, index) => slot + index).find((one) => !blocks.includes(one));
  await expect(connection.getBlock(skipped ?? 0, { maxSupportedTransactionVersion: 0 })).rejects.toThrow(/was skipped/);
});
