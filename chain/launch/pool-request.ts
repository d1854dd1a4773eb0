import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { type FeeMode, feeModelOf, type PositionHolder } from '../../domain/fee-models.ts';
import { OPENING_MARKET_CAP_USD, TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchTransferFee } from '../exchange/opening.ts';
import type { Exchange, LaunchPlan, LaunchPoolRequest } from '../exchange/exchange.ts';
import type { TokenInfo } from '../tokens/token.ts';

export interface PlatformWallets {
  readonly platform: PublicKey;
  readonly rewards: PublicKey;
}

/** Builds the pool request from the sealed terms alone. */
export async function poolRequestOf(
  exchange: Exchange,
  wallets: PlatformWallets,
  terms: LaunchTerms,
): Promise<LaunchPoolRequest> {
  const base = baseTokenOf(terms);
  return {
    plan: await planOf(exchange, terms),
    base,
    quote: quoteTokenOf(terms),
    fee: terms.fee,
    addresses: terms.addresses,
    feeKeyHolders: holdersOf(terms, wallets),
    launchWallet: new PublicKey(terms.addresses.launchWallet),
    devBuy: devBuyOf(terms, base),
  };
}

/** Returns the total supply minus the airdrop. */
export function poolSupplyRaw(airdropShareRaw: bigint): bigint {
  return TOTAL_SUPPLY_RAW - airdropShareRaw;
}

export function baseTokenOf(terms: Pick<LaunchTerms, 'addresses' | 'fee'>): TokenInfo {
  return {
    mint: new PublicKey(terms.addresses.mint),
    decimals: TOKEN_DECIMALS,
    ...taxedProgramOf(terms.fee),
  };
}

function taxedProgramOf(fee: FeeMode): Pick<TokenInfo, 'tokenProgram' | 'transferFee'> {
  const transferFee = launchTransferFee(fee);
  return transferFee ? { tokenProgram: TOKEN_2022_PROGRAM_ID, transferFee } : { tokenProgram: TOKEN_PROGRAM_ID };
}

export function quoteTokenOf(terms: Pick<LaunchTerms, 'quoteToken'>): TokenInfo {
  const { mint, decimals, tokenProgram } = terms.quoteToken;
  return { mint: new PublicKey(mint), decimals, tokenProgram: new PublicKey(tokenProgram) };
}

async function planOf(exchange: Exchange, terms: LaunchTerms): Promise<LaunchPlan> {
  const rates = await exchange.poolFees(feeModelOf(terms.fee).poolFeeTier);
  const supply = poolSupplyRaw(BigInt(terms.airdrop?.shareRaw ?? 0));
  const plan = exchange.planLaunch(planRequestOf(terms), rates, terms.fee, supply);
  if (plan.opening.tick !== terms.opening.tick || plan.opening.sqrtPriceX64 !== terms.opening.sqrtPriceX64) {
    const { tick } = plan.opening;
    throw new RangeError(
      `launch ${terms.quoteId} was sealed at tick ${terms.opening.tick}, its terms now give ${tick}`,
    );
  }
  return plan;
}

function planRequestOf(terms: LaunchTerms) {
  return {
    baseMint: new PublicKey(terms.addresses.mint),
    quote: quoteTokenOf(terms),
    poolFeeTier: feeModelOf(terms.fee).poolFeeTier,
    quotePriceUsd: terms.opening.quotePriceUsd,
    openingMarketCapUsd: OPENING_MARKET_CAP_USD,
  };
}

function holdersOf(terms: LaunchTerms, wallets: PlatformWallets): [PublicKey, PublicKey] {
  const [first, second] = feeModelOf(terms.fee).positions;
  return [holderOf(first.holder, terms, wallets), holderOf(second.holder, terms, wallets)];
}

function holderOf(holder: PositionHolder, terms: LaunchTerms, wallets: PlatformWallets): PublicKey {
  switch (holder) {
    case 'creator':
      return new PublicKey(terms.feeRecipient ?? terms.creator);
    case 'platform':
      return wallets.platform;
    case 'rewards':
      return wallets.rewards;
  }
}

function devBuyOf(terms: LaunchTerms, base: TokenInfo): LaunchPoolRequest['devBuy'] {
  if (!terms.devBuy) return null;
  const creator = new PublicKey(terms.creator);
  return {
    tokensOutRaw: BigInt(terms.devBuy.tokensRaw),
    maxQuoteInRaw: BigInt(terms.devBuy.maxQuoteRaw),
    recipientTokenAccount: getAssociatedTokenAddressSync(base.mint, creator, true, base.tokenProgram),
  };
}
