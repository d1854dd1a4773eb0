import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMint } from '../../../chain/tokens/read-mint.ts';
import { REWARD_TOKEN_ACCOUNT_BYTES } from '../../../chain/tokens/reward-mint.ts';
import { describeCost, type MintingChain, startMinting } from '../../support/minting.ts';

const TOTAL_SUPPLY_RAW = 1_000_000_000_000_000_000n;
const METADATA = { name: 'Harbour Reward', symbol: 'HARB', uri: `https://arweave.net/${'a'.repeat(43)}` };
const rewards = Keypair.generate();
let minting: MintingChain;

beforeAll(async () => {
  minting = await startMinting();
});
afterAll(() => minting.close());

describe('a reward mint on the chain', () => {
  it.each([100, 300] as const)('taxes every transfer with %i bps that nobody can change', async (taxBps) => {
    const { mint, account } = await minting.reward(taxBps, rewards.publicKey, METADATA);
    expect(await readMint(minting.connection, mint.publicKey)).toEqual({
      mint: mint.publicKey,
      tokenProgram: TOKEN_2022_PROGRAM_ID,
      supplyRaw: TOTAL_SUPPLY_RAW,
      decimals: 9,
      mintAuthority: null,
      freezeAuthority: null,
      extensions: ['TransferFeeConfig', 'MetadataPointer', 'TokenMetadata'],
      tax: {
        bps: taxBps,
        maximumRaw: 2n ** 64n - 1n,
        changeAuthority: null,
        withdrawAuthority: rewards.publicKey,
        withheldRaw: 0n,
      },
      metadata: { kept: 'in the mint', ...METADATA, updateAuthority: null, isMutable: false },
    });
    expect(await minting.chain.balance(account)).toBe(TOTAL_SUPPLY_RAW);
  });

  it('has exactly the rent it needs', async () => {
    const { mint, account, rentLamports } = await minting.reward(100, rewards.publicKey, METADATA);
    const info = await minting.connection.getAccountInfo(mint.publicKey);
    expect(BigInt(info?.lamports ?? 0)).toBe(rentLamports);
    expect(rentLamports).toBe(await minting.rentFor(info?.data.length ?? 0));
    expect((await minting.connection.getAccountInfo(account))?.data).toHaveLength(REWARD_TOKEN_ACCOUNT_BYTES);
  });

  const longest = { name: '🌊'.repeat(8), symbol: 'é'.repeat(5) };
  it.each([
    ['a short name', { name: 'A', symbol: 'A', uri: METADATA.uri }],
    ['the longest name and an Arweave address', { ...longest, uri: METADATA.uri }],
    ['the longest name and an address of 200 bytes', { ...longest, uri: `https://example.com/${'a'.repeat(180)}` }],
  ])('keeps %s to the letter', async (what, metadata) => {
    const minted = await minting.reward(300, rewards.publicKey, metadata);
    expect((await readMint(minting.connection, minted.mint.publicKey))?.metadata).toMatchObject(metadata);
    console.log(describeCost(`reward mint with ${what}`, minted));
  });
});
