import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DocumentRow } from '../proof/lines.ts';
import type { ReadLines } from '../proof/read-lines.ts';
import { sealedUsd, type SpendableUsd } from '../trading/spendable-price.ts';
import type { RewardWindow } from './draw.ts';
import { LEFT_OUT_REASONS, type LeftOut } from './left-out.ts';
import type { DocumentPayout } from './round-document.ts';

/** The plan of a round as its sealed document states it. Raw units. */
export interface SealedPlan {
  readonly id: string;
  readonly mint: string;
  readonly number: number;
  readonly window: RewardWindow;
  readonly observations: readonly SealedObservation[];
  readonly saleAverage: string | null;
  readonly saleNote: string | null;
  readonly valuation: SealedValuation;
  readonly budgetRaw: bigint;
  readonly minimumRaw: bigint;
  readonly leastPayoutRaw: bigint;
  /** Owners who held enough at every observation and may earn. */
  readonly holders: number;
  readonly payouts: readonly SealedPayout[];
  readonly leftOut: readonly LeftOut[];
  readonly belowMinimum: number;
}

export interface SealedObservation {
  readonly n: number;
  readonly slot: bigint;
  readonly blockhash: string;
  readonly readSlot: bigint;
  readonly answerSlots: readonly bigint[];
  readonly quorum: number;
}

export interface SealedValuation {
  readonly averagePrice: string;
  readonly quoteUsd: SpendableUsd;
  readonly solUsd: SpendableUsd;
  readonly priceSource: string;
  readonly pricedAt: Date;
}

export interface SealedPayout extends DocumentPayout {
  /** Smallest observed balance. */
  readonly balanceRaw: bigint;
}

/** The document is not the plan of a reward round. */
export class SealedPlanError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'SealedPlanError';
  }
}

const amount = Type.String({ pattern: '^[0-9]{1,100}$' });
const price = Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$' });
const whole = Type.Integer({ minimum: 0 });
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const HeadSchema = Type.Object({
  kind: Type.Literal('reward-round'),
  id: Type.String({ format: 'uuid' }),
  mint: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  window: Type.Object({ slot: whole, slots: Type.Integer({ minimum: 1 }) }),
  observations: Type.Array(
    Type.Object({
      n: whole,
      slot: whole,
      blockhash: Type.String(),
      readSlot: whole,
      answerSlots: Type.Array(whole, { minItems: 1 }),
      quorum: Type.Integer({ minimum: 1 }),
    }),
  ),
  saleAverage: orNull(price),
  saleNote: orNull(Type.String()),
  prices: Type.Object({
    averagePrice: price,
    quoteUsd: price,
    solUsd: price,
    source: Type.String(),
    pricedAt: Type.String(),
  }),
  budgetRaw: amount,
  minimumRaw: amount,
  leastPayoutRaw: amount,
  belowMinimum: whole,
  rentPayout: orNull(Type.Object({ owner: Type.String(), n: whole, amountRaw: amount })),
});
const Head = Compile(HeadSchema);

type HeadOfRound = Static<typeof HeadSchema>;

/**
 * Reads the plan back from a sealed document: the inverse of `roundDocument`.
 * @throws SealedPlanError
 */
export function sealedPlanOf({ root, head, rows }: ReadLines): SealedPlan {
  if (!Head.Check(head)) throw new SealedPlanError(`the head of document ${root} is not that of a reward round`);
  const { id, mint, number, saleAverage, saleNote, belowMinimum } = head;
  const outcomes = rows.map(outcomeOf);
  const paid = outcomes.flatMap(({ payout }) => payout ?? []);
  const leftOut = outcomes.flatMap(({ left }) => left ?? []);
  const short = leftOut.filter(({ reason }) => reason === 'belowLeastPayout');
  return {
    id,
    mint,
    number,
    window: { slot: head.window.slot, slots: head.window.slots },
    observations: head.observations.map(observationOf),
    saleAverage,
    saleNote,
    valuation: valuationOf(head),
    budgetRaw: BigInt(head.budgetRaw),
    minimumRaw: BigInt(head.minimumRaw),
    leastPayoutRaw: BigInt(head.leastPayoutRaw),
    holders: paid.length + short.length,
    payouts: [...paid, ...rentOf(head)],
    leftOut,
    belowMinimum,
  };
}

function observationOf(one: HeadOfRound['observations'][number]): SealedObservation {
  const { n, slot, blockhash, readSlot, answerSlots, quorum } = one;
  const read = { readSlot: BigInt(readSlot), answerSlots: answerSlots.map(BigInt), quorum };
  return { n, slot: BigInt(slot), blockhash, ...read };
}

function valuationOf({ prices }: HeadOfRound): SealedValuation {
  const { averagePrice, quoteUsd, solUsd, source: priceSource, pricedAt } = prices;
  return {
    averagePrice,
    quoteUsd: sealedUsd(quoteUsd),
    solUsd: sealedUsd(solUsd),
    priceSource,
    pricedAt: new Date(pricedAt),
  };
}

function rentOf({ rentPayout }: HeadOfRound): SealedPayout[] {
  if (rentPayout === null) return [];
  const { owner, n, amountRaw } = rentPayout;
  return [{ owner, kind: 'rent', n, amountRaw: BigInt(amountRaw), rentRaw: 0n, balanceRaw: 0n }];
}

const PAID = /^(\d{1,9}):(\d{1,39}):(\d{1,39})$/;
const LEFT_OUT = /^([a-zA-Z]+)(?::(\d{1,39}))?$/;
const HELD = /^\d{1,20}$/;
const ACCOUNTS = /^(\+|[1-9A-HJ-NP-Za-km-z]+(,[1-9A-HJ-NP-Za-km-z]+)*)$/;

function outcomeOf(row: DocumentRow): { readonly payout?: SealedPayout; readonly left?: LeftOut } {
  const [owner = '', ...fields] = row;
  const end = fields.findIndex((field) => !HELD.test(field));
  const [held, [outcome = '', accounts, ...more]] = [fields.slice(0, end), fields.slice(end)];
  if (end < 1) throw new SealedPlanError(`the row of ${owner} has no balances: ${row.join(' ')}`);
  // The plan does not depend on the accounts.
  if (more.length > 0 || (accounts !== undefined && !ACCOUNTS.test(accounts)))
    throw new SealedPlanError(`the row of ${owner} does not end with its accounts: ${row.join(' ')}`);
  const balanceRaw = held.map(BigInt).reduce((least, raw) => (raw < least ? raw : least));
  const [, n, amountRaw, rent] = PAID.exec(outcome) ?? [];
  if (n !== undefined && amountRaw !== undefined && rent !== undefined)
    return {
      payout: { owner, kind: 'holder', n: Number(n), amountRaw: BigInt(amountRaw), rentRaw: BigInt(rent), balanceRaw },
    };
  const [, named, due] = LEFT_OUT.exec(outcome) ?? [];
  const reason = LEFT_OUT_REASONS.find((one) => one === named);
  if (reason === undefined) throw new SealedPlanError(`the outcome of ${owner} is "${outcome}"`);
  return { left: { owner, reason, balanceRaw, ...(due !== undefined && { rentRaw: BigInt(due) }) } };
}
