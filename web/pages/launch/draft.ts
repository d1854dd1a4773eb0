import type { LaunchWish } from '../../../client/index.ts';
import { IS_TAXED } from '../../../client/launch/check-quote.ts';
import { isAddress } from '../../../client/solana/bytes.ts';
import type { Stats } from '../../api/types.ts';
import { amountProblem, typedAmount } from '../../format/amounts.ts';
import { bytesOf } from '../../format/texts.ts';

export interface Draft {
  readonly quoteMint: string;
  readonly name: string;
  readonly symbol: string;
  /** Empty without a logo. */
  readonly logo: string;
  /** By the page, again with each symbol. */
  readonly isLogoDrawn: boolean;
  readonly mode: NonNullable<LaunchWish['mode']>;
  readonly feeTier: NonNullable<LaunchWish['feeTier']>;
  readonly rewardTaxBps: `${NonNullable<LaunchWish['rewardTaxBps']>}`;
  /** Empty: the wallet that launches. */
  readonly feeRecipient: string;
  readonly devBuyBy: 'none' | 'percent' | 'sol';
  readonly devBuy: string;
  readonly airdropPercent: string;
  readonly airdropTier: NonNullable<LaunchWish['airdropTier']>;
  readonly website: string;
  readonly twitter: string;
  readonly telegram: string;
}

export const TIER_NAMES: Readonly<Record<Draft['feeTier'], string>> = { '1%': '1 %', '2%': '2 %' };

export const EMPTY_DRAFT: Draft = {
  quoteMint: '',
  name: '',
  symbol: '',
  logo: '',
  isLogoDrawn: false,
  mode: 'standard',
  feeTier: '1%',
  rewardTaxBps: '100',
  feeRecipient: '',
  devBuyBy: 'none',
  devBuy: '',
  airdropPercent: '',
  airdropTier: 'top100',
  website: '',
  twitter: '',
  telegram: '',
};

/** Problems by field. The API validates again. */
export type Problems = Partial<Record<keyof Draft, string>>;

export function problemsOf(draft: Draft, { config }: Stats): Problems {
  const { nameMaxBytes, symbolMaxBytes, devBuyMaxPercent, airdropMaxPercent } = config;
  const found: readonly (readonly [keyof Draft, string | null])[] = [
    ['quoteMint', draft.quoteMint === '' ? 'Choose what the token is paired with.' : null],
    ['name', textProblem(draft.name, nameMaxBytes)],
    ['symbol', textProblem(draft.symbol, symbolMaxBytes)],
    ['logo', draft.logo === '' ? 'A logo is needed.' : null],
    ['feeRecipient', recipientProblem(draft)],
    ['devBuy', devBuyProblem(draft, devBuyMaxPercent)],
    ['airdropPercent', airdropProblem(draft, airdropMaxPercent)],
    ['website', draft.website === '' ? null : websiteProblem(draft.website)],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

/** Keeps problems that are still there; later fields wait for the next attempt. */
export function remainingProblems(found: Problems, problems: Problems): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([field]) => field in found));
}

function textProblem(text: string, most: number): string | null {
  const bytes = bytesOf(text);
  if (bytes === 0) return 'It is needed.';
  if (bytes > most) return `It has ${bytes} bytes, ${most} at most.`;
  return text.trim() === text ? null : 'No space at its ends.';
}

function devBuyProblem({ devBuyBy, devBuy }: Draft, most: number): string | null {
  if (devBuyBy === 'none') return null;
  if (devBuy === '') return 'A number above 0, or no dev buy.';
  const problem = amountProblem(devBuy);
  if (problem !== null) return problem;
  return devBuyBy === 'percent' && amountOf(devBuy) > most ? `At most ${most} % of the supply.` : null;
}

function airdropProblem({ mode, airdropPercent }: Draft, most: number): string | null {
  if (!IS_TAXED[mode] || airdropPercent === '') return null;
  const problem = amountProblem(airdropPercent);
  if (problem !== null) return problem;
  return amountOf(airdropPercent) > most ? `At most ${most} %; empty for none.` : null;
}

function recipientProblem({ mode, feeRecipient }: Draft): string | null {
  if (IS_TAXED[mode] || feeRecipient === '') return null;
  return isAddress(feeRecipient) ? null : 'It is not the address of a wallet.';
}

function websiteProblem(text: string): string | null {
  if (text.length > 200) return 'At most 200 characters.';
  return URL.canParse(text) && text.startsWith('https://') ? null : 'A public address that begins with https://';
}

function amountOf(typed: string): number {
  return Number(typedAmount(typed));
}

export function wishOf(draft: Draft): Omit<LaunchWish, 'creatorWallet'> {
  const { quoteMint, name, symbol, logo, mode, website, twitter, telegram } = draft;
  return {
    quoteMint,
    name,
    symbol,
    logo,
    mode,
    ...feesOf(draft),
    ...devBuyOf(draft),
    ...airdropOf(draft),
    ...(website !== '' && { website }),
    ...(twitter !== '' && { twitter }),
    ...(telegram !== '' && { telegram }),
  };
}

const TAX_BPS: Readonly<Record<Draft['rewardTaxBps'], NonNullable<LaunchWish['rewardTaxBps']>>> = {
  '100': 100,
  '300': 300,
};

export function feesOf({ mode, feeTier, feeRecipient, rewardTaxBps }: Draft) {
  switch (mode) {
    case 'standard':
      return { feeTier, ...(feeRecipient !== '' && { feeRecipient }) };
    case 'reward':
      return { rewardTaxBps: TAX_BPS[rewardTaxBps] };
  }
}

function devBuyOf({ devBuyBy, devBuy }: Draft) {
  if (devBuyBy === 'percent') return { devBuyPercent: amountOf(devBuy) };
  return devBuyBy === 'sol' ? { devBuySol: amountOf(devBuy) } : {};
}

function airdropOf({ mode, airdropPercent, airdropTier }: Draft) {
  return IS_TAXED[mode] && airdropPercent !== '' ? { airdropPercent: amountOf(airdropPercent), airdropTier } : {};
}
