import type { AirdropSource } from '../airdrop/airdrop.ts';
import type { FeeMode } from '../fee-models.ts';
import type { AirdropTier } from '../token-facts.ts';

/** base58. Only the worker can derive their keys. */
export interface LaunchAddresses {
  readonly launchWallet: string;
  readonly mint: string;
  readonly positionMints: readonly [string, string];
  /** Of the Fee Key NFTs. */
  readonly feeKeyMints: readonly [string, string];
}

/** `website` defaults to the platform's page. */
export interface LaunchLinks {
  readonly website: string;
  readonly twitter?: string;
  readonly telegram?: string;
}

/** A position's ticks and prices as on the exchange (token0 / token1, Q64.64). */
export interface PoolOpening {
  readonly baseIsToken0: boolean;
  readonly tick: number;
  /** Q64.64, decimal string. */
  readonly sqrtPriceX64: string;
  /** Of one quote token, at the quote. */
  readonly quotePriceUsd: string;
  /** At the opening tick. */
  readonly marketCapUsd: string;
}

/** Decimal strings in raw units or lamports. */
export interface DevBuyTerms {
  /** Before transfer tax. */
  readonly tokensRaw: string;
  readonly netTokensRaw: string;
  /** Limit of the swap. */
  readonly maxQuoteRaw: string;
  /** Paid by the creator. */
  readonly lamports: string;
}

/** Sealed airdrop; the hash refers to recipients in database and store. */
export interface AirdropTerms {
  readonly source: AirdropSource;
  readonly tier: AirdropTier;
  /** Kept out of the pool. */
  readonly shareRaw: string;
  readonly recipients: number;
  /** sha256 of the recipients' document, hex. */
  readonly recipientsHash: string;
  readonly snapshotSlot: number;
  /** Paid by the creator: accounts and network fees. */
  readonly feeLamports: string;
  readonly computeUnitPrice: string;
}

/** One item of a launch's price, lamports. */
export interface PaymentItem {
  readonly item: 'launch' | 'devBuy' | 'airdrop';
  readonly lamports: string;
}

export interface NetworkTerms {
  readonly tipLamports: string;
  /** Micro-lamports. */
  readonly computeUnitPrice: string;
}

/**
 * Terms agreed at prepare and sealed into the quote: JSON, amounts as decimal strings. Execution uses only these, so
 * no retry changes them. Every release reads quotes and launches of the others beside it and refuses unknown fields: a
 * new field needs a place of its own, as the wish has (`terms-wish.ts`).
 */
export interface LaunchTerms {
  readonly version: 1;
  readonly environment: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  /** The addresses derive from it. */
  readonly seedId: string;
  readonly addresses: LaunchAddresses;
  readonly creator: string;
  /** Wallet that gets the creator's Fee Key instead; standard launches only. */
  readonly feeRecipient?: string;
  readonly name: string;
  readonly symbol: string;
  /** As sent, sha256, hex. */
  readonly logoHash: string;
  /** As stored; absent if stored as sent. */
  readonly storedLogoHash?: string;
  readonly logoType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly links: LaunchLinks;
  /** Known before storing: the store is content-addressed. */
  readonly metadataUri: string;
  readonly fee: FeeMode;
  readonly quoteToken: {
    readonly mint: string;
    readonly symbol: string;
    readonly decimals: number;
    readonly tokenProgram: string;
  };
  readonly opening: PoolOpening;
  readonly devBuy: DevBuyTerms | null;
  readonly airdrop: AirdropTerms | null;
  readonly network: NetworkTerms;
  readonly payment: {
    readonly lamports: string;
    readonly items: readonly PaymentItem[];
    /** Signed by the creator, base64. */
    readonly message: string;
    readonly blockhash: string;
    /** Of the blockhash's read; the payment cannot have landed earlier. */
    readonly blockhashSlot: number;
    readonly lastValidBlockHeight: number;
  };
  /** Of the blockhash, expected, ISO 8601. */
  readonly expiresAt: string;
}
