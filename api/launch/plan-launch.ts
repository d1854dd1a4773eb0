import { PublicKey } from '@solana/web3.js';
import type { Exchange, PoolFees } from '../../chain/exchange/exchange.ts';
import { planOrProblem } from '../../chain/exchange/opening-problem.ts';
import { TierClosedError } from '../../chain/exchange/tier-closed.ts';
import type { NetworkFees } from '../../chain/network-fees/network-fees.ts';
import { baseTokenOf, poolSupplyRaw, quoteTokenOf } from '../../chain/launch/pool-request.ts';
import { decodeLogo, type Logo, parseDataUrl } from '../../chain/storage/logo.ts';
import { buildMetadata } from '../../chain/storage/metadata.ts';
import { readQuoteMints } from '../../chain/tokens/quote-mint-state.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import type { DerivedAddresses } from '../../db/launch/launch-addresses.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import { AppError } from '../../domain/errors.ts';
import type { Asker } from '../../domain/places.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { type FeeTier, OPENING_MARKET_CAP_USD } from '../../domain/token-facts.ts';
import type { LaunchLinks, LaunchTerms, NetworkTerms, PaymentItem } from '../../domain/launch/terms.ts';
import { parsePublicLink, parseSocialLink } from '../../domain/launch/links.ts';
import type { Wish } from '../../domain/launch/terms-wish.ts';
import { parseTokenName, parseTokenSymbol } from '../../domain/launch/token-names.ts';
import type { ApiDeps } from '../deps.ts';
import { assertCanClaim } from './fee-recipient.ts';
import { assertDevBuyPossible } from './check-dev-buy.ts';
import { planAirdrop } from './plan-airdrop.ts';
import { type DevBuyMarket, devBuyRate, planDevBuy } from './plan-dev-buy.ts';
import { planPayment } from './payment-transaction.ts';
import { parseKey } from './parse-key.ts';
import type { PrepareBody } from './prepare-body.ts';
import { assertAsWished, assertWithinMaxLamports, parseWish } from './wish.ts';

/** Used addresses that one prepare skips; the next continues from there. */
const MOST_USED_ADDRESSES = 20;

export interface PlannedLaunch {
  readonly terms: LaunchTerms;
  /** Unsigned, base64. */
  readonly paymentTransaction: string;
}

/** @throws AppError that names the first problem */
export async function planLaunch(deps: ApiDeps, body: PrepareBody, asker: Asker): Promise<PlannedLaunch> {
  const fee = feeModeOf(body);
  const wish = parseWish(body);
  const token = { name: parseTokenName(body.name), symbol: parseTokenSymbol(body.symbol) };
  const creator = parseWallet(body.creatorWallet);
  const image = parseDataUrl(body.logo);
  const pair = await launchablePair(deps, body.quoteMint);
  const taxBps = await poolableTaxBps(deps, pair);
  const price = await deps.launching.prices.spotUsd(pair.mint);
  const feeRecipient = body.feeRecipient === body.creatorWallet ? undefined : body.feeRecipient;
  if (feeRecipient !== undefined) await assertCanClaim(deps.db, deps.launching.rpc, feeRecipient);
  const givenLinks = linksOf(body);
  const network = await deps.launching.pricing.networkFees();
  const airdropOf = { pair, creator: body.creatorWallet, network, asker };
  const airdrop = wish.airdrop && (await planAirdrop(deps, wish.airdrop, airdropOf));
  // Expensive steps come after cheaper checks, and before an address is taken.
  const buying = wish.devBuy && { order: wish.devBuy, rate: await devBuyRate(deps, pair) };
  if (buying) await assertDevBuyPossible(deps, pair, taxBps);
  const logo = await decodeLogo(image, asker);
  const derived = await takeAddresses(deps, wish.sealed);
  const links = { website: `${deps.config.siteUrl}/tokens/${derived.addresses.mint}`, ...givenLinks };
  const market = await planMarket(deps, derived, {
    pair,
    fee,
    shareRaw: wish.airdrop?.shareRaw ?? 0n,
    quotePriceUsd: price.usd,
  });
  const devBuy = buying ? await planDevBuy(deps, buying.order, market, buying.rate) : null;
  const items: PaymentItem[] = [
    { item: 'launch', lamports: deps.launching.pricing.baseLamports.toString() },
    ...(devBuy ? [{ item: 'devBuy', lamports: devBuy.lamports } as const] : []),
    ...(airdrop ? [{ item: 'airdrop', lamports: airdrop.feeLamports } as const] : []),
  ];
  const lamports = items.reduce((sum, item) => sum + BigInt(item.lamports), 0n);
  assertWithinMaxLamports(wish.sealed, lamports);
  const payment = await planPayment(deps, {
    derived,
    creator,
    feeRecipient: feeRecipient === undefined ? null : new PublicKey(feeRecipient),
    items,
    lamports,
    network,
  });
  const terms: LaunchTerms = {
    version: 1,
    ...deps.launching.scope,
    quoteId: derived.quoteId,
    seedId: derived.seedId,
    addresses: derived.addresses,
    creator: body.creatorWallet,
    ...(feeRecipient !== undefined && { feeRecipient }),
    ...token,
    links,
    fee,
    opening: market.plan.opening,
    logoHash: logo.hash,
    ...(logo.storedHash !== logo.hash && { storedLogoHash: logo.storedHash }),
    logoType: logo.type,
    metadataUri: metadataUriOf(deps, token, links, logo),
    quoteToken: { mint: pair.mint, symbol: pair.symbol, decimals: pair.decimals, tokenProgram: pair.tokenProgram },
    devBuy,
    airdrop,
    network: sealFees(network),
    payment: payment.terms,
    expiresAt: payment.expiresAt,
  };
  assertAsWished(wish.sealed, terms);
  return { terms, paymentTransaction: Buffer.from(payment.transaction.serialize()).toString('base64') };
}

function feeModeOf({ mode, feeTier, rewardTaxBps, feeRecipient }: PrepareBody): FeeMode {
  switch (mode) {
    case 'reward':
      if (feeRecipient !== undefined) throw misplaced('feeRecipient', feeRecipient, 'standard');
      if (feeTier !== undefined) throw misplaced('feeTier', feeTier, 'standard');
      return { mode, rewardTaxBps: rewardTaxBps ?? 100 };
    case 'standard':
      if (rewardTaxBps !== undefined) throw misplaced('rewardTaxBps', rewardTaxBps, 'reward');
      return { mode, feeTier: feeTier ?? '1%' };
  }
}

function misplaced(field: string, value: string | number, mode: string): AppError {
  return new AppError('invalid_request', `${field} ${value} applies to ${mode} launches only`);
}

function parseWallet(address: string): PublicKey {
  const key = parseKey('creatorWallet', address);
  if (PublicKey.isOnCurve(key.toBytes())) return key;
  throw new AppError('invalid_request', `creatorWallet ${address} is a program address and cannot sign a payment`);
}

async function launchablePair(deps: ApiDeps, quoteMint: string): Promise<PairRecord> {
  const pair = await pairs.byMint(deps.db, quoteMint);
  if (!pair) throw new AppError('invalid_request', `quoteMint ${quoteMint} is not in the pairs list`);
  if (!pair.launchable) {
    throw new AppError(
      'invalid_request',
      `quoteMint ${quoteMint} (${pair.symbol}) is retired; choose a launchable pair`,
    );
  }
  return pair;
}

/**
 * Checks the quote mint again: after listing its owner may have added an extension that blocks or drains pools. Returns
 * its transfer fee, bps.
 */
async function poolableTaxBps({ launching }: ApiDeps, { mint, symbol }: PairRecord): Promise<number> {
  const [state] = await readQuoteMints(launching.rpc.connection, [new PublicKey(mint)]);
  const { refusal: cause = null, taxBps = 0 } = state ?? {};
  if (cause === null) return taxBps;
  throw new AppError('service_unavailable', `${symbol} cannot be paired at the moment: ${cause.message}`, { cause });
}

/** Takes addresses that are unused on the chain: in a restored database those of a later launch look free. */
async function takeAddresses(deps: ApiDeps, wish: Wish): Promise<DerivedAddresses> {
  for (let tries = 0; tries < MOST_USED_ADDRESSES; tries++) {
    const derived = await launchAddresses.takeOne(deps.db, wish);
    if (!derived) break;
    if (!(await isUsed(deps, derived))) return derived;
    deps.logger.warn({ quoteId: derived.quoteId }, 'launch addresses were used before; taking others');
  }
  throw new AppError('service_unavailable', 'no launch address is free; one is made within seconds', {
    retryAfterSeconds: 2,
  });
}

async function isUsed({ launching }: ApiDeps, { addresses }: DerivedAddresses): Promise<boolean> {
  const accounts = [addresses.launchWallet, addresses.mint].map((address) => new PublicKey(address));
  const found = await launching.rpc.connection.getMultipleAccountsInfo(accounts, 'confirmed');
  return found.some((account) => account !== null);
}

function linksOf({ website, twitter, telegram }: PrepareBody): Partial<LaunchLinks> {
  return {
    ...(website !== undefined && { website: parsePublicLink('website', website) }),
    ...(twitter !== undefined && { twitter: parseSocialLink('twitter', twitter) }),
    ...(telegram !== undefined && { telegram: parseSocialLink('telegram', telegram) }),
  };
}

interface PoolWish {
  readonly pair: PairRecord;
  readonly fee: FeeMode;
  /** Of the airdrop, kept out of the pool; raw. */
  readonly shareRaw: bigint;
  readonly quotePriceUsd: string;
}

async function planMarket(
  deps: ApiDeps,
  { addresses }: DerivedAddresses,
  { pair, fee, shareRaw, quotePriceUsd }: PoolWish,
): Promise<DevBuyMarket> {
  const { exchange } = deps.launching;
  const { poolFeeTier } = feeModelOf(fee);
  const base = baseTokenOf({ addresses, fee });
  const quote = quoteTokenOf({ quoteToken: pair });
  const openingMarketCapUsd = OPENING_MARKET_CAP_USD;
  const request = { baseMint: base.mint, quote, poolFeeTier, quotePriceUsd, openingMarketCapUsd };
  const fees = await openTier(exchange, poolFeeTier);
  const planned = planOrProblem(() => exchange.planLaunch(request, fees, fee, poolSupplyRaw(shareRaw)), base, quote);
  if ('plan' in planned) return { plan: planned.plan, base, quote, quoteSymbol: pair.symbol };
  throw new AppError(
    'service_unavailable',
    `launches with ${pair.symbol} are not possible at its price of ${quotePriceUsd} USD: ${planned.problem}; choose another pair`,
  );
}

async function openTier(exchange: Exchange, tier: FeeTier): Promise<PoolFees> {
  try {
    return await exchange.poolFees(tier);
  } catch (cause) {
    if (!(cause instanceof TierClosedError)) throw cause;
    throw new AppError('service_unavailable', `${cause.message}; choose another one`, { cause });
  }
}

function sealFees({ tipLamports, computeUnitPrice }: NetworkFees): NetworkTerms {
  return { tipLamports: tipLamports.toString(), computeUnitPrice: computeUnitPrice.toString() };
}

function metadataUriOf(deps: ApiDeps, token: { name: string; symbol: string }, links: LaunchLinks, logo: Logo): string {
  const { store } = deps.launching;
  const logoUri = store.uriOf(logo.bytes, logo.type);
  return store.uriOf(buildMetadata({ ...token, links, logoUri, logoType: logo.type }), 'application/json');
}
