import type { AirdropSource } from '../airdrop/airdrop.ts';
import type { FeeMode } from '../fee-models.ts';
import type { AirdropTier } from '../token-facts.ts';

/** Addresses derived for one launch (base58). The worker derives their keys from the launch seed; nobody else can. */
export interface LaunchAddresses {
  readonly launchWallet: string;
  readonly mint: string;
  /** Mints of the two position NFTs. */
  readonly positionMints: readonly [string, string];
  /** Mints of the two Fee Key NFTs. */
  readonly feeKeyMints: readonly [string, string];
}

/** Links saved in the permanent metadata. `website` is the platform's own page when the creator gave none. */
export interface LaunchLinks {
  readonly website: string;
  readonly twitter?: string;
  readonly telegram?: string;
}

/** Where the pool opens. Ticks and prices as in the exchange's own arithmetic (token0 / token1, Q64.64). */
export interface PoolOpening {
  readonly baseIsToken0: boolean;
  readonly tick: number;
  /** Q64.64 square root of the price, decimal string. */
  readonly sqrtPriceX64: string;
  /** USD price of one whole quote token when the quote was made, decimal string. */
  readonly quotePriceUsd: string;
  /** Market cap in USD at the opening tick, decimal string. */
  readonly marketCapUsd: string;
}

/** A dev buy as sealed into the quote; amounts are decimal strings in raw units or lamports. */
export interface DevBuyTerms {
  /** Tokens the pool gives for it (gross of a transfer tax). */
  readonly tokensRaw: string;
  /** Tokens that reach the creator. */
  readonly netTokensRaw: string;
  /** The most quote tokens the swap may take, in raw units. */
  readonly maxQuoteRaw: string;
  /** What the creator pays for it, in lamports. */
  readonly lamports: string;
}

/** An airdrop as sealed into the quote; the recipients themselves lie in the database and in the store, under this hash. */
export interface AirdropTerms {
  readonly source: AirdropSource;
  readonly tier: AirdropTier;
  /** What is held out of the pool, raw units (decimal string). */
  readonly shareRaw: string;
  readonly recipients: number;
  /** sha256 of the frozen recipients' document, hex. */
  readonly recipientsHash: string;
  /** Slot of the snapshot. */
  readonly snapshotSlot: number;
  /** What the creator pays for the delivery, in lamports: the recipients' accounts and the network's fees. */
  readonly feeLamports: string;
  /** Priority fee of the delivery, micro-lamports per compute unit (decimal string). */
  readonly computeUnitPrice: string;
}

/** One line of the price of a launch, in lamports (decimal string). */
export interface PaymentItem {
  readonly item: 'launch' | 'devBuy' | 'airdrop';
  readonly lamports: string;
}

/** What a launch pays the network beyond fixed fees, as it was when the quote was made; out of the price of the launch. */
export interface NetworkTerms {
  /** Tip of the bundle, lamports (decimal string). */
  readonly tipLamports: string;
  /** Priority fee, micro-lamports per compute unit (decimal string). */
  readonly computeUnitPrice: string;
}

/**
 * Everything a launch is, agreed at prepare and sealed into the signed quote. All values are JSON; amounts are decimal
 * strings. A launch is executed from these terms alone, so a retry or a restart cannot change what was agreed.
 */
export interface LaunchTerms {
  readonly version: 1;
  readonly environment: string;
  readonly genesisHash: string;
  readonly quoteId: string;
  /** Which launch seed the addresses were derived from. */
  readonly seedId: string;
  readonly addresses: LaunchAddresses;
  readonly creator: string;
  readonly name: string;
  readonly symbol: string;
  /** sha256 of the decoded logo bytes, hex. */
  readonly logoHash: string;
  readonly logoType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly links: LaunchLinks;
  /** URI of the metadata JSON, fixed before it is stored: the store is content-addressed. */
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
  /** Absent in quotes of earlier versions, which pay what is configured. */
  readonly network?: NetworkTerms;
  readonly payment: {
    readonly lamports: string;
    readonly items: readonly PaymentItem[];
    /** The message the creator signs, base64. */
    readonly message: string;
    readonly blockhash: string;
    /** Slot at which the blockhash was read; the payment cannot have landed before it. */
    readonly blockhashSlot: number;
    readonly lastValidBlockHeight: number;
  };
  /** ISO 8601; the moment the payment's blockhash is expected to expire. */
  readonly expiresAt: string;
}
