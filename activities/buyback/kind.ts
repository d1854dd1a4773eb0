import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import type { BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import type { BuybackState } from '../../domain/buyback/buyback.ts';
import type { ClosableLeg, WorkKind } from '../money/work/leg.ts';
import { burnLeg } from './burn.ts';
import { swapLeg } from './buy.ts';
import type { BuybackDeps } from './deps.ts';

type BuybackLeg = ClosableLeg<BuybackDeps, BuybackRound>;

const LEGS: Readonly<Record<BuybackState, BuybackLeg | null>> = { planned: swapLeg, bought: burnLeg, done: null };

/** A purchase with revenue: a swap, then the burn of what it brought. */
export const BUYBACK: WorkKind<BuybackDeps, string, BuybackRound> = {
  name: 'purchase',
  find: buybackRounds.byId,
  next: ({ state }) => LEGS[state],
  noteProblem: buybackRounds.noteProblem,
};
