import { TOKEN_2022_PROGRAM_ID, TokenInstruction } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { instructionDiscriminator } from '../../../../chain/exchange/raydium/discriminators.ts';
import type { LandedStep } from '../../../../chain/exchange/raydium/landed-steps.ts';
import { CLMM_PROGRAM_ID } from '../../../../chain/exchange/raydium/programs.ts';
import { swapsByTransfers } from '../../../../chain/exchange/raydium/swap-transfers.ts';
import { key } from '../../../support/exchange/raydium/golden.ts';

const [wallet, pool, mint0, mint1, vault0, vault1] = [key(1), key(2), key(3), key(4), key(5), key(6)];

const swap = (inputVault: PublicKey, outputVault: PublicKey): LandedStep => {
  const accounts = [wallet, wallet, pool, wallet, wallet, inputVault, outputVault];
  return { program: CLMM_PROGRAM_ID, accounts, data: Buffer.from(instructionDiscriminator('swap_v2')) };
};

function transfer(source: PublicKey, mint: PublicKey, destination: PublicKey, amount: bigint): LandedStep {
  const data = Buffer.alloc(10);
  data.writeUInt8(TokenInstruction.TransferChecked, 0);
  data.writeBigUInt64LE(amount, 1);
  return { program: TOKEN_2022_PROGRAM_ID, accounts: [source, mint, destination], data };
}

const sell = (raw: bigint, out: bigint) => [
  swap(vault0, vault1),
  transfer(wallet, mint0, vault0, raw),
  transfer(vault1, mint1, wallet, out),
];
const buy = (raw: bigint, out: bigint) => [
  swap(vault1, vault0),
  transfer(wallet, mint1, vault1, raw),
  transfer(vault0, mint0, wallet, out),
];

/** Raw units of token 0 that arrived or left, of each swap; the balance of its vault changed by so much. */
const amountsOf = (steps: readonly LandedStep[], change0: bigint) =>
  swapsByTransfers(steps, (account) => (account.equals(vault0) ? change0 : undefined)).map(({ amount0 }) => amount0);

describe('swaps by their transfers, of a token that taxes 3 %', () => {
  it('take in what the vault gained', () => {
    expect(amountsOf(sell(1_000n, 500n), 970n)).toEqual([970n]);
  });

  it('take in what the vault gained and gave out by another swap of the same transaction', () => {
    expect(amountsOf([...sell(1_000n, 500n), ...buy(100n, 300n)], 970n - 300n)).toEqual([970n, 300n]);
    expect(amountsOf([...sell(1_000n, 500n), ...buy(400n, 1_200n)], 970n - 1_200n)).toEqual([970n, 1_200n]);
  });

  it('take in their part of what the vault gained by two', () => {
    expect(amountsOf([...sell(1_000n, 500n), ...sell(2_000n, 900n)], 2_910n)).toEqual([970n, 1_940n]);
  });

  it('take in all of it where nothing is withheld, or the balance is unknown', () => {
    expect(amountsOf(sell(1_000n, 500n), 1_000n)).toEqual([1_000n]);
    expect(swapsByTransfers(sell(1_000n, 500n), () => undefined).map(({ amount0 }) => amount0)).toEqual([1_000n]);
  });
});
