import { PublicKey } from '@solana/web3.js';
import { BASE_LAMPORTS } from '../../domain/launch/launch-price.ts';
import { deliveryFee } from '../../chain/airdrop/delivery-cost.ts';
import { quoteDevBuy } from '../../chain/exchange/dev-buy.ts';
import type { LaunchPlan } from '../../chain/exchange/exchange.ts';
import { sortsBefore } from '../../chain/exchange/opening.ts';
import { deriveLaunchAddresses, deriveLaunchKeys } from '../../chain/keys/launch-keys.ts';
import { buildPayment } from '../../chain/launch/payment.ts';
import { baseTokenOf, poolSupplyRaw, quoteTokenOf } from '../../chain/launch/pool-request.ts';
import { createFileStore } from '../../chain/storage/file-store.ts';
import { buildMetadata } from '../../chain/storage/metadata.ts';
import type { SeedPair } from '../../dev/seed/local-pairs.ts';
import { DEV_BUY_MAX_RAW, lamportsForQuote, sellingRate } from '../../domain/launch/dev-buy.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { AIRDROP_RECIPIENTS, OPENING_MARKET_CAP_USD } from '../../domain/token-facts.ts';
import type {
  AirdropTerms,
  DevBuyTerms,
  LaunchAddresses,
  LaunchLinks,
  LaunchTerms,
} from '../../domain/launch/terms.ts';
import { parsePublicLink } from '../../domain/launch/links.ts';
import { parseTokenName, parseTokenSymbol } from '../../domain/launch/token-names.ts';
import type { Fixture } from './launch-inputs.ts';
import { LAUNCH_VARIANTS, type LaunchVariant } from './variants.ts';
import { type SpendablePrice, spendablePrice } from '../../domain/trading/spendable-price.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

/** Its address is in the second transaction. */
const SITE_URL = 'http://127.0.0.1:8080';
const SOL_USD = '150';

/** Default of PRIORITY_FEE_MIN. */
export const PAYMENT_COMPUTE_UNIT_PRICE = 50_000n;

const LINK_CHARACTERS = 200;
const LOGO = { logoType: 'image/webp', bytes: Buffer.from('a logo') } as const;

/** 32 and 10 bytes, in characters of several. */
export const LONGEST = { name: parseTokenName('🌊'.repeat(8)), symbol: parseTokenSymbol('ÄÖÜÄÖ') } as const;

export const METADATA_URI = uriOfLongest();

export interface PlanOptions {
  readonly blockhash: string;
  readonly metadataUri?: string;
  /** For an airdrop; default none. */
  readonly airdropRaw?: bigint;
}

export async function planTerms(ground: Fixture, variant: LaunchVariant, options: PlanOptions): Promise<LaunchTerms> {
  const { fee } = variant;
  const pair = ground.pairs[variant.quoteProgram];
  const { quoteId, addresses } = drawLaunch(ground, variant, pair);
  const quoteToken = quoteTokenTerms(pair);
  const airdrop = airdropOf(options.airdropRaw);
  const plan = await planOf(ground, variant, { addresses, airdrop, quote: quoteTokenOf({ quoteToken }) });
  const devBuy = variant.devBuy ? devBuyOf(plan, baseTokenOf({ addresses, fee }), quoteTokenOf({ quoteToken })) : null;
  return {
    version: 1,
    ...ground.context,
    quoteId,
    seedId: ground.seed.id,
    addresses,
    fee,
    quoteToken,
    devBuy,
    creator: ground.creator.publicKey.toBase58(),
    ...LONGEST,
    links: longestLinks(),
    opening: plan.opening,
    network: { tipLamports: '100000', computeUnitPrice: '50000' },
    logoHash: '0'.repeat(64),
    logoType: LOGO.logoType,
    metadataUri: options.metadataUri ?? METADATA_URI,
    airdrop,
    expiresAt: new Date(0).toISOString(),
    payment: paymentOf(ground, { quoteId, addresses, devBuy, airdrop }, options.blockhash),
  };
}

function drawLaunch({ seed, context }: Fixture, variant: LaunchVariant, pair: SeedPair) {
  const kind = LAUNCH_VARIANTS.indexOf(variant).toString(16).padStart(8, '0');
  for (let draw = 0; ; draw++) {
    const quoteId = `${kind}-0000-4000-8000-${draw.toString(16).padStart(12, '0')}`;
    const { mint } = deriveLaunchKeys(seed, context, quoteId);
    if (sortsBefore(mint.publicKey, pair.mint) === variant.baseFirst) {
      return { quoteId, addresses: deriveLaunchAddresses(seed, context, quoteId) };
    }
  }
}

function quoteTokenTerms({ mint, symbol, decimals, tokenProgram }: SeedPair): LaunchTerms['quoteToken'] {
  return { mint: mint.toBase58(), symbol, decimals, tokenProgram: tokenProgram.toBase58() };
}

interface PlannedFor {
  readonly addresses: LaunchAddresses;
  readonly airdrop: AirdropTerms | null;
  readonly quote: TokenInfo;
}

async function planOf(
  { builder: { exchange }, pairs }: Fixture,
  { fee, quoteProgram }: LaunchVariant,
  { addresses, airdrop, quote }: PlannedFor,
): Promise<LaunchPlan> {
  const { poolFeeTier } = feeModelOf(fee);
  const quotePriceUsd = pairs[quoteProgram].usd;
  const baseMint = new PublicKey(addresses.mint);
  const ask = { baseMint, quote, poolFeeTier, quotePriceUsd, openingMarketCapUsd: OPENING_MARKET_CAP_USD };
  return exchange.planLaunch(
    ask,
    await exchange.poolFees(poolFeeTier),
    fee,
    poolSupplyRaw(BigInt(airdrop?.shareRaw ?? 0)),
  );
}

function airdropOf(shareRaw: bigint | undefined): AirdropTerms | null {
  if (shareRaw === undefined) return null;
  const recipients = AIRDROP_RECIPIENTS.top5000;
  const pricing = { recipients, rentLamports: 2_157_600n, computeUnitPrice: PAYMENT_COMPUTE_UNIT_PRICE };
  return {
    source: 'quote-holders',
    tier: 'top5000',
    shareRaw: shareRaw.toString(),
    recipients,
    snapshotSlot: 0,
    recipientsHash: '0'.repeat(64),
    computeUnitPrice: PAYMENT_COMPUTE_UNIT_PRICE.toString(),
    feeLamports: deliveryFee(pricing).toString(),
  };
}

function setPrice(usd: string): SpendablePrice {
  return spendablePrice({ usd, source: 'fixed', observedAt: new Date(0) }, [], { mint: 'bench', maxDeviationBps: 1 });
}

function devBuyOf(plan: LaunchPlan, base: TokenInfo, quote: TokenInfo): DevBuyTerms {
  const fill = quoteDevBuy(plan, base, quote, { tokensRaw: DEV_BUY_MAX_RAW });
  if (fill.fill !== 'filled') throw new Error(`a planned pool does not fill a dev buy of ${DEV_BUY_MAX_RAW} raw units`);
  const rate = sellingRate(setPrice(SOL_USD), setPrice(plan.opening.quotePriceUsd), quote.decimals);
  return {
    tokensRaw: fill.tokensRaw.toString(),
    netTokensRaw: fill.netTokensRaw.toString(),
    maxQuoteRaw: fill.quoteRaw.toString(),
    lamports: lamportsForQuote(fill.quoteRaw, rate).toString(),
  };
}

function paymentOf(
  ground: Fixture,
  { quoteId, addresses, devBuy, airdrop }: Pick<LaunchTerms, 'quoteId' | 'addresses' | 'devBuy' | 'airdrop'>,
  blockhash: string,
): LaunchTerms['payment'] {
  const lamports = BASE_LAMPORTS + BigInt(devBuy?.lamports ?? 0) + BigInt(airdrop?.feeLamports ?? 0);
  const { message } = buildPayment({
    quoteId,
    lamports,
    blockhash,
    creator: ground.creator.publicKey,
    launchWallet: new PublicKey(addresses.launchWallet),
    feeRecipient: null,
    computeUnitPrice: PAYMENT_COMPUTE_UNIT_PRICE,
  });
  return {
    lamports: lamports.toString(),
    items: [],
    message: Buffer.from(message.serialize()).toString('base64'),
    blockhash,
    blockhashSlot: 0,
    lastValidBlockHeight: 0,
  };
}

function longestLinks(): LaunchLinks {
  const link = (field: string, host: string) => parsePublicLink(field, `https://${host}/`.padEnd(LINK_CHARACTERS, 'x'));
  return {
    website: link('website', 'slipway.dev'),
    twitter: link('twitter', 'x.com'),
    telegram: link('telegram', 't.me'),
  };
}

function uriOfLongest(): string {
  const store = createFileStore({ directory: '', siteUrl: SITE_URL });
  const { logoType, bytes } = LOGO;
  const logoUri = store.uriOf(bytes, logoType);
  return store.uriOf(buildMetadata({ ...LONGEST, links: longestLinks(), logoType, logoUri }), 'application/json');
}
