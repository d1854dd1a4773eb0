import type { SlipwayEvent } from '../../events/events.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { gainOf, type Landed } from '../landed.ts';
import { type EventChain, landedAs, mustGain, rawOf, statedBy } from './event-facts.ts';

export interface TradeEvent extends SlipwayEvent {
  readonly trade: NonNullable<SlipwayEvent['trade']>;
}

export function isTrade(event: SlipwayEvent): event is TradeEvent {
  return event.trade !== undefined;
}

/** Trades of one token in one transaction, beside each other in the log. */
export interface TradeGroup {
  readonly first: TradeEvent;
  readonly trades: readonly TradeEvent[];
  /** False at the edge of a page: its other trades may be on the next one. */
  readonly isWhole: boolean;
}

/** A trade on the chain: `confirmed` may still be withdrawn. */
export async function checkTrades(chain: EventChain, group: TradeGroup): Promise<Outcome<null>> {
  const { first } = group;
  const { trade } = first;
  const isConfirmed = first.type === 'trade.confirmed';
  const landed = await landedAs(chain, first, {
    signature: trade.signature,
    slot: isConfirmed ? null : trade.slot,
    commitment: isConfirmed ? 'confirmed' : 'finalized',
  });
  if (landed.slot !== trade.slot)
    throw new NotProvable(`a fork moved it to slot ${landed.slot}: its trade.withdrawn must follow`);
  const flow = flowOf(group);
  // The trader's own balances would pass for a pool with the opposite trade.
  const others = ownersOf(landed).filter((owner) => owner !== first.wallet && owner !== landed.signers[0]);
  const pool = others.find((owner) => isFlow(landed, owner, flow));
  if (pool !== undefined) {
    if (new Set(group.trades.map(({ trade: { side } }) => side)).size > 1)
      throw new NotProvable(`its trades go both ways: ${pool} moved their sum, which says nothing about each`);
    const how = `the pool ${pool} moved ${flow.base} of ${flow.mint} and ${flow.quote} of ${trade.quoteMint}`;
    return { how, value: null };
  }
  return checkOthers(chain, group, landed, flow);
}

/** Raw units that the pool gained; negative: lost. */
interface Flow {
  readonly mint: string;
  readonly quoteMint: string;
  readonly base: bigint;
  readonly quote: bigint;
}

function flowOf({ first, trades }: TradeGroup): Flow {
  const { mint } = first;
  if (mint === null) throw new NotProvable(`event ${first.id} names no mint`);
  const sum = (of: (event: TradeEvent) => bigint) => trades.reduce((total, event) => total + of(event), 0n);
  return {
    mint,
    quoteMint: first.trade.quoteMint,
    base: sum((event) => rawOf(event, event.trade.amountRaw) * (event.trade.side === 'sell' ? 1n : -1n)),
    quote: sum((event) => rawOf(event, event.trade.quoteRaw) * (event.trade.side === 'buy' ? 1n : -1n)),
  };
}

function ownersOf({ tokens }: Landed): string[] {
  return [...new Set(tokens.map(({ owner }) => owner))];
}

function isFlow(landed: Landed, owner: string, { mint, quoteMint, base, quote }: Flow): boolean {
  if (base === 0n && quote === 0n) return false;
  return gainOf(landed, owner, mint) === base && gainOf(landed, owner, quoteMint) === quote;
}

/**
 * Checks a group whose amounts are the movement of no single owner. That is no proof against it: the transaction may
 * also move liquidity, as a launch with a dev buy does, or have trades that are missing here. The event is false if one
 * program was called, and only its wallet and one other owner traded.
 */
async function checkOthers(chain: EventChain, group: TradeGroup, landed: Landed, flow: Flow): Promise<Outcome<null>> {
  const { first, isWhole } = group;
  const { signature } = first.trade;
  const traders = ownersOf(landed).filter((owner) => hasTraded(landed, owner, flow));
  const bought = await devBuyOf(chain, group, { landed, flow, traders });
  if (bought) return bought;
  const from = `balances in ${signature}`;
  const stated = statedBy(first, `${flow.base} and ${flow.quote}`);
  if (traders.length === 0) throw new Difference('nothing in it traded these tokens', stated, { value: 'none', from });
  const pool = isWhole && callsOnce(landed) ? poolIn(landed, traders, flow, first.wallet) : null;
  if (pool === null) throw new NotProvable(`its amounts cannot be told from what else ${signature} moved`);
  const value = `${gainOf(landed, pool, flow.mint)} and ${gainOf(landed, pool, flow.quoteMint)}`;
  throw new Difference('other amounts were traded', stated, { value, from: `${from} of ${pool}` });
}

function hasTraded(landed: Landed, owner: string, { mint, quoteMint }: Flow): boolean {
  return gainOf(landed, owner, mint) !== 0n && gainOf(landed, owner, quoteMint) !== 0n;
}

interface Traded {
  readonly landed: Landed;
  readonly flow: Flow;
  /** Owners who gave one of both tokens and got the other. */
  readonly traders: readonly string[];
}

/** Checks a dev buy, whose price is in no balance, because the launch pays for it. Null for another trade. */
async function devBuyOf(chain: EventChain, { first, trades }: TradeGroup, { landed, flow, traders }: Traded) {
  const { wallet: owner, trade } = first;
  if (owner === null || trades.length > 1 || trade.side !== 'buy' || traders.includes(owner)) return null;
  const { mint } = flow;
  if (gainOf(landed, owner, mint) <= 0n) return null;
  await mustGain(chain, first, landed, { owner, mint, raw: rawOf(first, trade.amountRaw) });
  return { how: `${owner} got ${trade.amountRaw} of ${mint}; its price is not in the balances`, value: null };
}

const FRAME: readonly string[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM, ASSOCIATED_TOKEN_PROGRAM];
const BESIDE: readonly string[] = [...FRAME, TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

function callsOnce({ instructions }: Landed): boolean {
  return instructions.filter(({ program }) => !BESIDE.includes(program)).length === 1;
}

/** The other side of the only two owners that traded; null unless one paid what the other got. */
function poolIn(landed: Landed, traders: readonly string[], { quoteMint }: Flow, wallet: string | null): string | null {
  const [one, other] = traders;
  if (one === undefined || other === undefined || traders.length > 2) return null;
  if (gainOf(landed, one, quoteMint) + gainOf(landed, other, quoteMint) !== 0n) return null;
  return wallet === one ? other : one;
}

/** Requires that no block of the slot has the trade. If one has it, a later event must correct this one. */
export async function checkWithdrawn(chain: Chain, { trade }: TradeEvent): Promise<Outcome<null>> {
  const { signature, slot } = trade;
  const first = await chain.firstBlock(slot);
  if (first.slot !== slot) return { how: `slot ${slot} has no block`, value: null };
  const { signatures } = await chain.block(slot);
  if (!signatures.includes(signature)) return { how: `the block of slot ${slot} does not have it`, value: null };
  throw new NotProvable(`the block of slot ${slot} has ${signature}: a corrected trade must follow`);
}
