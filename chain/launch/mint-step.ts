import { createTransferCheckedInstruction } from '@solana/spl-token';
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { DevBuyTerms, LaunchTerms } from '../../domain/launch/terms.ts';
import type { LaunchKeys } from '../keys/launch-keys.ts';
import { rewardMintBytes, rewardMintInstructions } from '../tokens/reward-mint.ts';
import { STANDARD_MINT_BYTES, standardMintInstructions } from '../tokens/standard-mint.ts';
import type { LaunchBuilder, LaunchGroup } from './launch-builder.ts';
import { createTokenAccount, tokenAccountOf } from '../tokens/associated-account.ts';
import { quoteTokenOf } from './pool-request.ts';
import type { TokenInfo } from '../tokens/token.ts';

// Measured: at most 60,000 and 75,000; address searches vary.
const MINT_COMPUTE_UNITS = 150_000;
const DEV_BUY_COMPUTE_UNITS = 80_000;

/**
 * Builds the second transaction: whole supply in the launch wallet, no authority left. For a dev buy the treasury swaps
 * quote tokens for SOL.
 */
export async function buildMint(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  mayHoldLamports?: boolean,
): Promise<LaunchGroup> {
  const mint = await mintInstructions(builder, terms, keys, mayHoldLamports);
  if (!terms.devBuy) return { instructions: mint, signers: [], computeUnits: MINT_COMPUTE_UNITS, lookupAddresses: [] };
  return {
    instructions: [...mint, ...devBuyFunding(builder.treasury.publicKey, terms, terms.devBuy)],
    signers: [builder.treasury],
    computeUnits: MINT_COMPUTE_UNITS + DEV_BUY_COMPUTE_UNITS,
    lookupAddresses: [],
  };
}

async function mintInstructions(
  builder: LaunchBuilder,
  terms: LaunchTerms,
  keys: LaunchKeys,
  mayHoldLamports: boolean | undefined,
) {
  const parties = { mint: keys.mint.publicKey, launchWallet: keys.wallet.publicKey, mayHoldLamports };
  const metadata = { name: terms.name, symbol: terms.symbol, uri: terms.metadataUri };
  switch (terms.fee.mode) {
    case 'standard':
      return standardMintInstructions({
        ...parties,
        rentLamports: await builder.rentFor(STANDARD_MINT_BYTES),
        ...((await builder.hasMetadataProgram()) && { metadata }),
      });
    case 'reward':
      return rewardMintInstructions({
        ...parties,
        metadata,
        taxBps: terms.fee.rewardTaxBps,
        rewardsAuthority: builder.wallets.rewards,
        rentLamports: await builder.rentFor(rewardMintBytes(metadata)),
      });
  }
}

/** The treasury's only signature: exactly the dev buy's quote tokens for their price. */
function devBuyFunding(treasury: PublicKey, terms: LaunchTerms, devBuy: DevBuyTerms): TransactionInstruction[] {
  const launchWallet = new PublicKey(terms.addresses.launchWallet);
  const quote = quoteTokenOf(terms);
  const from = tokenAccountOf(quote, treasury);
  const to = tokenAccountOf(quote, launchWallet);
  return [
    createTokenAccount(launchWallet, quote, launchWallet),
    transferChecked(quote, from, to, treasury, BigInt(devBuy.maxQuoteRaw)),
    SystemProgram.transfer({
      fromPubkey: launchWallet,
      toPubkey: treasury,
      lamports: BigInt(devBuy.lamports),
    }),
  ];
}

function transferChecked(token: TokenInfo, from: PublicKey, to: PublicKey, owner: PublicKey, amountRaw: bigint) {
  const { mint, decimals, tokenProgram } = token;
  return createTransferCheckedInstruction(from, mint, to, owner, amountRaw, decimals, [], tokenProgram);
}
