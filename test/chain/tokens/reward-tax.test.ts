import {
  createAssociatedTokenAccountInstruction,
  createBurnCheckedInstruction,
  createHarvestWithheldTokensToMintInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  createWithdrawWithheldTokensFromAccountsInstruction,
  createWithdrawWithheldTokensFromMintInstruction,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  TOKEN_2022_PROGRAM_ID as programId,
  unpackAccount,
} from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { groupOf } from '../../support/exchange/test-chain.ts';
import { type Minted, type MintingChain, startMinting } from '../../support/minting.ts';

const DECIMALS = 9;
const TOTAL_SUPPLY_RAW = 1_000_000_000_000_000_000n;
const METADATA = { name: 'Harbour Reward', symbol: 'HARB', uri: `https://arweave.net/${'a'.repeat(43)}` };
/** `MintRequiredForTransfer` and `OwnerMismatch` of the token program. */
const MINT_REQUIRED_FOR_TRANSFER = { Custom: 31 };
const OWNER_MISMATCH = { Custom: 4 };

const rewards = Keypair.generate();
let minting: MintingChain;

beforeAll(async () => {
  minting = await startMinting();
  await minting.chain.fund(rewards.publicKey, 1_000_000_000);
});
afterAll(() => minting.close());

it.each([
  { taxBps: 100 as const, amount: 1_000_000_001n, withheld: 10_000_001n },
  { taxBps: 300 as const, amount: 1_000_000_001n, withheld: 30_000_001n },
  { taxBps: 100 as const, amount: 1n, withheld: 1n },
  { taxBps: 300 as const, amount: TOTAL_SUPPLY_RAW, withheld: 30_000_000_000_000_000n },
])('a transfer of $amount raw units at $taxBps bps withholds $withheld, without a cap', async (row) => {
  const minted = await minting.reward(row.taxBps, rewards.publicKey, METADATA);
  const account = await sendToStranger(minted, row.amount);
  expect(await withheldIn(account)).toEqual({ net: row.amount - row.withheld, withheld: row.withheld });
});

it('the tax cannot be avoided by a transfer that does not name the mint', async () => {
  const minted = await minting.reward(100, rewards.publicKey, METADATA);
  const account = await sendToStranger(minted, 100n);
  const { wallet, account: from } = minted;
  const transfer = createTransferInstruction(from, account, wallet.publicKey, 1_000n, [], programId);
  expect(await minting.refusal(wallet, transfer)).toEqual(MINT_REQUIRED_FOR_TRANSFER);
});

it('only the rewards authority withdraws what was withheld', async () => {
  const minted = await minting.reward(300, rewards.publicKey, METADATA);
  const { wallet, mint, account } = minted;
  const taxed = await sendToStranger(minted, 1_000_000n);
  const withdrawBy = (authority: PublicKey) =>
    createWithdrawWithheldTokensFromAccountsInstruction(mint.publicKey, account, authority, [], [taxed], programId);
  expect(await minting.refusal(wallet, withdrawBy(wallet.publicKey))).toEqual(OWNER_MISMATCH);
  await minting.chain.succeed(rewards, groupOf([withdrawBy(rewards.publicKey)]));
  expect(await withheldIn(taxed)).toEqual({ net: 970_000n, withheld: 0n });
  expect(await minting.chain.balance(account)).toBe(TOTAL_SUPPLY_RAW - 970_000n);
});

it('tax gathered in the mint is read back, and burning is free of tax', async () => {
  const minted = await minting.reward(100, rewards.publicKey, METADATA);
  const { wallet, mint, account } = minted;
  const taxed = await sendToStranger(minted, 1_000_000n);
  const burn = createBurnCheckedInstruction(account, mint.publicKey, wallet.publicKey, 500n, DECIMALS, [], programId);
  const gather = createHarvestWithheldTokensToMintInstruction(mint.publicKey, [taxed], programId);
  await minting.chain.succeed(wallet, groupOf([gather, burn]));
  const state = await readMint(minting.connection, mint.publicKey);
  expect(state).toMatchObject({ supplyRaw: TOTAL_SUPPLY_RAW - 500n, tax: { withheldRaw: 10_000n } });
  const withdraw = createWithdrawWithheldTokensFromMintInstruction(
    mint.publicKey,
    account,
    rewards.publicKey,
    [],
    programId,
  );
  await minting.chain.succeed(rewards, groupOf([withdraw]));
  expect((await readMint(minting.connection, mint.publicKey))?.tax?.withheldRaw).toBe(0n);
});

/** Sends raw units from the launch wallet to a new account of somebody else's. */
async function sendToStranger({ wallet, mint, account }: Minted, amount: bigint): Promise<PublicKey> {
  const stranger = Keypair.generate().publicKey;
  const to = getAssociatedTokenAddressSync(mint.publicKey, stranger, false, programId);
  const owner = wallet.publicKey;
  const instructions = [
    createAssociatedTokenAccountInstruction(owner, to, stranger, mint.publicKey, programId),
    createTransferCheckedInstruction(account, mint.publicKey, to, owner, amount, DECIMALS, [], programId),
  ];
  await minting.chain.succeed(wallet, groupOf(instructions));
  return to;
}

async function withheldIn(address: PublicKey) {
  const account = unpackAccount(address, await minting.connection.getAccountInfo(address), programId);
  return { net: account.amount, withheld: getTransferFeeAmount(account)?.withheldAmount };
}
