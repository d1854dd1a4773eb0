import { FEE_TIERS } from '../fee-tiers.ts';
import { isAddress } from '../solana/bytes.ts';
import { mustHold } from '../solana/refusal.ts';
import type { LaunchLimits, LaunchQuote, LaunchWish } from './terms.ts';

/** 1,000,000,000 with 9 decimals. */
const SUPPLY_RAW = 10n ** 18n;
const RAW_PER_TOKEN = 1e9;
const LAMPORTS_PER_SOL = 1e9;

/** Percent of the supply. */
const MOST_DEV_BUY_PERCENT = 2.5;

/** Raw units: percent is a JSON number. */
export const ROUNDING_RAW = 1_000n;

export const IS_TAXED: Readonly<Record<LaunchQuote['mode'], boolean>> = { standard: false, reward: true };

export const RECIPIENTS: Readonly<Record<NonNullable<LaunchWish['airdropTier']>, number>> = {
  top100: 100,
  top1000: 1_000,
  top5000: 5_000,
};

/** 0 if the wish names none. */
const wished = (value: unknown): number => Number(value ?? 0);

/**
 * Checks every figure that a user sees or pays, against the wish, the lamports, or each other; only the form of what
 * needs the chain (`openingMarketCapUsd`, `quotePriceUsd`, `metadataUri`, `snapshotSlot`, `recipientsHash`).
 */
export function checkQuote(quote: LaunchQuote, wish: LaunchWish, limits: LaunchLimits): void {
  checkPrice(quote, limits);
  checkModel(quote, wish);
  checkRecipient(quote, wish);
  checkDevBuy(quote, wish);
  checkAirdrop(quote, wish);
  checkItems(quote);
  checkForm(quote);
}

function checkPrice({ payment }: LaunchQuote, { maxLamports }: LaunchLimits): void {
  const { lamports, sol, items } = payment;
  mustHold(isAmount(lamports), `${lamports} is no amount of lamports`);
  mustHold(BigInt(lamports) <= maxLamports, `it costs ${lamports} lamports, at most ${maxLamports} were allowed`);
  mustHold(sol === lamports / LAMPORTS_PER_SOL, `it says ${sol} SOL for ${lamports} lamports`);
  mustHold(isAddress(payment.to), `${payment.to} is no address to pay to`);
  const sum = items.reduce((total, item) => total + item.lamports, 0);
  mustHold(sum === lamports, `the items of the price add up to ${sum} lamports, quoted were ${lamports}`);
}

/** Requires each item once and above 0: a discount could hide another charge. */
function checkItems({ payment, devBuy, airdrop }: LaunchQuote): void {
  const { feeLamports, feeSol, items } = payment;
  const known = ['launch', ...(devBuy ? ['devBuy'] : []), ...(airdrop ? ['airdrop'] : [])].sort().join();
  const names = items
    .map(({ item }) => item)
    .sort()
    .join();
  mustHold(names === known, `its price is made of ${names}, expected were ${known}`);
  const odd = items.find(({ lamports }) => !isAmount(lamports));
  mustHold(odd === undefined, `it charges ${odd?.lamports} lamports for ${odd?.item}`);
  const own = chargedFor('launch', payment);
  mustHold(own === feeLamports, `it says ${feeLamports} lamports for the launch, the item is ${own}`);
  mustHold(feeSol === feeLamports / LAMPORTS_PER_SOL, `it says ${feeSol} SOL for ${feeLamports} lamports`);
}

function checkModel({ mode, transferFee, poolFeePercent }: LaunchQuote, wish: LaunchWish): void {
  mustHold(mode === (wish.mode ?? 'standard'), `it is a quote for a ${mode} launch`);
  const tax = IS_TAXED[mode] ? Number(wish.rewardTaxBps ?? 100) : undefined;
  mustHold(transferFee?.bps === tax, `its transfer tax is ${transferFee?.bps ?? 0} bps`);
  const { percent } = FEE_TIERS[wish.feeTier ?? '1%'];
  mustHold(poolFeePercent === percent, `its pool takes ${poolFeePercent} % of each trade, asked were ${percent}`);
}

function checkRecipient({ feeRecipient }: LaunchQuote, wish: LaunchWish): void {
  const [named, asked] = [feeRecipient ?? wish.creatorWallet, wish.feeRecipient ?? wish.creatorWallet];
  mustHold(named === asked, `its Fee Key goes to ${named}, asked was ${asked}`);
}

function checkDevBuy({ devBuy, payment, mode, transferFee }: LaunchQuote, wish: LaunchWish): void {
  const [percent, sol] = [wished(wish.devBuyPercent), wished(wish.devBuySol)];
  mustBeWished('devBuy', devBuy !== null, percent + sol > 0);
  mustCharge('devBuy', devBuy?.lamports ?? 0, payment);
  if (devBuy === null) return;
  const raw = rawOf('devBuy', devBuy.tokensRaw);
  mustHold(isNear(devBuy.tokens, raw), `its dev buy says ${devBuy.tokens} tokens for ${raw}`);
  const most = rawShareOf(MOST_DEV_BUY_PERCENT) + ROUNDING_RAW;
  mustHold(raw > 0n && raw <= most, `its dev buy is of ${raw} raw units, at most ${most} can be bought`);
  if (percent > 0) mustBeShare('dev buy', raw, percent);
  else
    mustHold(
      devBuy.lamports <= Math.round(sol * LAMPORTS_PER_SOL),
      `its dev buy costs ${devBuy.lamports} lamports, not ${sol} SOL`,
    );
  if (!IS_TAXED[mode])
    return mustHold(devBuy.netTokensRaw === undefined && devBuy.netTokens === undefined, 'its dev buy is taxed');
  const net = rawOf('devBuy', devBuy.netTokensRaw ?? '');
  const tax = (raw * BigInt(transferFee?.bps ?? 0) + 9_999n) / 10_000n;
  mustHold(net === raw - tax, `its dev buy brings ${net} raw units, ${raw - tax} follow from the tax`);
  mustHold(isNear(devBuy.netTokens ?? 0, net), `its dev buy says ${devBuy.netTokens} tokens for ${net}`);
}

function checkAirdrop({ airdrop, payment }: LaunchQuote, wish: LaunchWish): void {
  const percent = wished(wish.airdropPercent);
  mustBeWished('airdrop', airdrop !== null, percent > 0);
  mustCharge('airdrop', airdrop?.feeLamports ?? 0, payment);
  if (airdrop === null) return;
  const tier = wish.airdropTier ?? 'top100';
  mustHold(airdrop.tier === tier, `its airdrop is for ${airdrop.tier}, asked was ${tier}`);
  mustHold(airdrop.source === 'quote-holders', `its airdrop is for ${airdrop.source}`);
  mustHold(airdrop.recipients === RECIPIENTS[tier], `its airdrop is for ${airdrop.recipients} wallets`);
  const raw = rawOf('airdrop', airdrop.tokensRaw);
  mustBeShare('airdrop', raw, percent);
  mustHold(isNear(airdrop.tokens, raw), `its airdrop says ${airdrop.tokens} tokens for ${raw}`);
  mustHold(Math.abs(airdrop.percent - percent) < 1e-9, `its airdrop is of ${airdrop.percent} %, asked were ${percent}`);
  mustHold(isAmount(airdrop.snapshotSlot), `its snapshot is of slot ${airdrop.snapshotSlot}`);
  mustHold(/^[0-9a-f]{64}$/.test(airdrop.recipientsHash), `its list has the hash "${airdrop.recipientsHash}"`);
}

function checkForm(quote: LaunchQuote): void {
  const { mint, quoteId, signedQuote, metadataUri, openingMarketCapUsd, quotePriceUsd, lastValidBlockHeight } = quote;
  mustHold(isAddress(mint), 'the address of its token is none');
  mustHold(/^[\w-]{1,64}$/.test(quoteId), 'the id of its quote is none');
  mustHold(/^[\x21-\x7e]+$/.test(signedQuote), 'its signed quote is none');
  mustHold(/^[\x21-\x7e]+$/.test(metadataUri), 'the address of its metadata is none');
  mustHold(openingMarketCapUsd > 0 && quotePriceUsd > 0, `it opens at ${openingMarketCapUsd} USD`);
  mustHold(Number.isSafeInteger(lastValidBlockHeight), `it ends at block ${lastValidBlockHeight}`);
  mustHold(!Number.isNaN(Date.parse(quote.expiresAt)), 'its end is no moment');
}

function mustBeWished(name: 'devBuy' | 'airdrop', isThere: boolean, isWished: boolean): void {
  const otherwise = isWished ? `it is without ${name}` : `it is with ${name}, which was not asked for`;
  mustHold(isThere === isWished, otherwise);
}

function mustCharge(name: 'devBuy' | 'airdrop', agreed: number, payment: LaunchQuote['payment']): void {
  const charged = chargedFor(name, payment);
  mustHold(charged === agreed, `it charges ${charged} lamports for ${name}, agreed were ${agreed}`);
}

function mustBeShare(what: string, raw: bigint, percent: number): void {
  const share = rawShareOf(percent);
  const isShare = raw >= share - ROUNDING_RAW && raw <= share + ROUNDING_RAW;
  mustHold(isShare, `its ${what} is of ${raw} raw units, ${percent} % of the supply are ${share}`);
}

function chargedFor(name: string, { items }: LaunchQuote['payment']): number {
  return items.filter(({ item }) => item === name).reduce((sum, { lamports }) => sum + lamports, 0);
}

/** Raw units of a percentage of the supply. */
export function rawShareOf(percent: number): bigint {
  const [whole = '0', fraction = ''] = percent.toFixed(16).split('.');
  return (SUPPLY_RAW / 100n) * BigInt(whole) + BigInt(fraction.padEnd(16, '0'));
}

function rawOf(name: string, text: string): bigint {
  mustHold(/^\d{1,20}$/.test(text), `the raw units of its ${name} are no number`);
  return BigInt(text);
}

/** True at a JSON number's precision. */
function isNear(tokens: number, raw: bigint): boolean {
  const exact = Number(raw) / RAW_PER_TOKEN;
  return Math.abs(tokens - exact) <= exact * 1e-12;
}

/** True for an integer above 0. */
function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
