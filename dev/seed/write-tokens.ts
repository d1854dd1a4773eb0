import { getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { LABELLED_WALLETS } from './labelled-wallets.ts';
import { type Holding, holdingsOf } from './holders.ts';
import { type LocalChain, rentLamports, type WrittenAccount } from './local-chain.ts';
import type { SeedPair } from './local-pairs.ts';
import { mintBytes, tokenAccountBytes } from './token-bytes.ts';

export interface PlatformWallets {
  readonly treasury: PublicKey;
  readonly platform: PublicKey;
  readonly rewards: PublicKey;
}

/** Its pools hold tokens. */
const OWNING_PROGRAM = new PublicKey('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK');

/** Writes nothing if the mint exists. The supply is the accounts' sum. Returns whether it was written. */
export async function writeToken(chain: LocalChain, pair: SeedPair, wallets: PlatformWallets): Promise<boolean> {
  if (await chain.exists(pair.mint)) return false;
  const holdings = [...platformHoldings(pair, wallets), ...holdingsOf(pair)];
  const supply = holdings.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
  // Last: an interrupted run is repeated.
  await chain.writeAccounts([
    ...(pair.holders > 0 ? programAccounts() : []),
    ...holdings.map(({ account, owner, amountRaw }) =>
      rentExempt(account, pair.tokenProgram, tokenAccountBytes(pair, owner, amountRaw)),
    ),
    rentExempt(pair.mint, pair.tokenProgram, mintBytes(pair, supply, await chain.faucet())),
  ]);
  return true;
}

function platformHoldings(pair: SeedPair, { treasury, platform, rewards }: PlatformWallets): Holding[] {
  const holding = (owner: PublicKey, tokens: bigint): Holding => ({
    owner,
    account: getAssociatedTokenAddressSync(pair.mint, owner, true, pair.tokenProgram),
    amountRaw: tokens * 10n ** BigInt(pair.decimals),
  });
  return [holding(treasury, pair.treasuryTokens), holding(platform, 0n), holding(rewards, 0n)];
}

function programAccounts(): WrittenAccount[] {
  return LABELLED_WALLETS.filter(({ label }) => label === 'program').map(({ wallet }) =>
    rentExempt(wallet, OWNING_PROGRAM, Buffer.alloc(8)),
  );
}

function rentExempt(address: PublicKey, owner: PublicKey, data: Uint8Array): WrittenAccount {
  return { address, owner, data, lamports: rentLamports(data.length) };
}
