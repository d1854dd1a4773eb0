import Type, { type Static } from 'typebox';
import { parserOf } from '../parser-of.ts';
import { AIRDROP_TIERS } from '../token-facts.ts';
import type { LaunchTerms } from './terms.ts';

const Integer = Type.String({ pattern: '^(0|[1-9][0-9]{0,38})$' });

/** The schema is open: a later release may add fields, and this one reads its quotes. */
const WishSchema = Type.Object({
  /** Most lamports of the whole payment. */
  maxLamports: Type.Optional(Integer),
  /** `lamports` of a dev buy by SOL, `tokensRaw` of one by percent. */
  devBuy: Type.Optional(Type.Union([Type.Object({ lamports: Integer }), Type.Object({ tokensRaw: Integer })])),
  airdrop: Type.Optional(Type.Object({ tier: Type.Enum(AIRDROP_TIERS), shareRaw: Integer })),
});

/**
 * A wish is what the creator asked for, in raw units and lamports; absent: not asked for. It lies beside the terms, at
 * the quote's addresses: release 0.1.0 refuses terms with further fields.
 */
export type Wish = Static<typeof WishSchema>;

/** @throws with the path of the first wrong value */
export const parseStoredWish: (value: unknown) => Wish = parserOf('the wish is', WishSchema);

type Promised = Pick<LaunchTerms, 'payment' | 'devBuy' | 'airdrop'>;

/** Returns where the terms are not what the creator asked for, as text; undefined if they are. */
export function wishProblem(wish: Wish, { payment, devBuy, airdrop }: Promised): string | undefined {
  return (
    above('lamports of the payment', payment.lamports, wish.maxLamports ?? payment.lamports) ??
    presence('a dev buy', devBuy, wish.devBuy) ??
    presence('an airdrop', airdrop, wish.airdrop) ??
    (devBuy && wish.devBuy && devBuyProblem(devBuy, wish.devBuy)) ??
    (airdrop && wish.airdrop && airdropProblem(airdrop, wish.airdrop)) ??
    undefined
  );
}

function presence(what: string, agreed: object | null, wished: object | undefined): string | undefined {
  if ((agreed === null) === (wished === undefined)) return undefined;
  return wished ? `${what} was asked for, and there is none` : `${what} was not asked for`;
}

function devBuyProblem(agreed: NonNullable<Promised['devBuy']>, wished: NonNullable<Wish['devBuy']>) {
  if ('lamports' in wished) return above('lamports of the dev buy', agreed.lamports, wished.lamports);
  return other('raw units of the dev buy', agreed.tokensRaw, wished.tokensRaw);
}

function airdropProblem(agreed: NonNullable<Promised['airdrop']>, wished: NonNullable<Wish['airdrop']>) {
  return (
    other('as tier of the airdrop', agreed.tier, wished.tier) ??
    other('raw units of the airdrop', agreed.shareRaw, wished.shareRaw)
  );
}

function above(what: string, agreed: string, most: string): string | undefined {
  return BigInt(agreed) > BigInt(most) ? `${agreed} ${what} are more than the ${most} that were asked for` : undefined;
}

function other(what: string, agreed: string, wished: string): string | undefined {
  return agreed === wished ? undefined : `${agreed} ${what} is not the ${wished} that was asked for`;
}
