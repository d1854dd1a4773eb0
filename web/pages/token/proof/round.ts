import type { Answer } from '../../../../client/index.ts';

export type Round = Answer<'GET /tokens/{mint}/rewards/rounds'>['rounds'][number];

export type Seal = NonNullable<Round['seal']>;

export type RoundWithSeal = Round & { readonly seal: Seal };

export function hasSeal(round: Round): round is RoundWithSeal {
  return round.seal !== null;
}
