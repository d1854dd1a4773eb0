import { AppError } from '../../domain/errors.ts';
import { lamportsOfSol, tokensOfPercent } from '../../domain/launch/dev-buy.ts';
import { type Wish, wishProblem } from '../../domain/launch/terms-wish.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { type AirdropWish, parseAirdrop } from './plan-airdrop.ts';
import type { PrepareBody } from './prepare-body.ts';

export interface LaunchWish {
  readonly devBuy: Wish['devBuy'];
  readonly airdrop: AirdropWish | null;
  /** The part that the worker compares the terms with. */
  readonly sealed: Wish;
}

/** @throws AppError `invalid_request` for fields that do not fit together */
export function parseWish(body: PrepareBody): LaunchWish {
  const [airdrop, devBuy] = [parseAirdrop(body), parseDevBuy(body)];
  const { maxLamports } = body;
  const sealed: Wish = {
    ...(maxLamports !== undefined && { maxLamports: String(maxLamports) }),
    ...(devBuy && { devBuy }),
    ...(airdrop && { airdrop: { tier: airdrop.tier, shareRaw: airdrop.shareRaw.toString() } }),
  };
  return { devBuy, airdrop, sealed };
}

function parseDevBuy({ devBuyPercent, devBuySol }: PrepareBody): Wish['devBuy'] {
  if (devBuyPercent !== undefined && devBuySol !== undefined) {
    throw new AppError('invalid_request', 'devBuyPercent and devBuySol exclude each other; give one of them');
  }
  if (devBuySol !== undefined) return { lamports: lamportsOfSol(devBuySol).toString() };
  return devBuyPercent === undefined ? undefined : { tokensRaw: tokensOfPercent(devBuyPercent).toString() };
}

/** @throws AppError `invalid_request` for a price above `maxLamports` */
export function assertWithinMaxLamports({ maxLamports }: Wish, lamports: bigint): void {
  if (maxLamports === undefined || lamports <= BigInt(maxLamports)) return;
  throw new AppError('invalid_request', `the launch costs ${lamports} lamports, maxLamports allows ${maxLamports}`);
}

/** The last look at what prepare computed: only an error of the platform's own fails here. */
export function assertAsWished(wish: Wish, terms: LaunchTerms): void {
  const problem = wishProblem(wish, terms);
  if (problem !== undefined) throw new Error(`the terms of quote ${terms.quoteId} are not as wished: ${problem}`);
}
