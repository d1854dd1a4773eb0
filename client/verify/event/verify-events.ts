import type { SlipwayEvent } from '../../events/events.ts';
import type { Chain } from '../chain.ts';
import { type Check, createChecks, type Outcome } from '../check.ts';
import {
  checkBurn,
  checkBuyback,
  checkClaimPaid,
  checkHarvest,
  checkLaunch,
  checkPayout,
  type EventChain,
} from './event-facts.ts';
import { createTransactionReader, PATIENCE, type Patience } from './recent-transactions.ts';
import { createSeenMovements, refuseRepeat } from './repeated-movements.ts';
import { checkTrades, checkWithdrawn, isTrade, type TradeEvent, type TradeGroup } from './trade-checks.ts';

export interface VerifiedEvent {
  readonly event: SlipwayEvent;
  /** Null for an event that names no transaction. */
  readonly check: Check | null;
}

/** For one pass over the log: a movement that comes again in another event is a difference. */
export interface EventVerifier {
  /** Checks a page of the log by the chain. Pages come in the order of the log. */
  verify(events: readonly SlipwayEvent[]): Promise<VerifiedEvent[]>;
  readonly tally: EventTally;
}

export interface EventTally {
  readonly proven: number;
  readonly different: number;
  /** Not provable from here. A confirmed trade counts until its withdrawal is proven. */
  readonly open: number;
  /** Named no transaction. */
  readonly unchecked: number;
}

/** Transactions read at once. */
const AT_ONCE = 8;

export function createEventVerifier(chain: Chain, patience: Patience = PATIENCE): EventVerifier {
  const parts = { chain, reader: createTransactionReader(chain, patience), accounts: chain.accounts.bind(chain) };
  const seen = createSeenMovements();
  const tally = { proven: 0, different: 0, unprovable: 0, unchecked: 0 };
  /** Confirmed trades that the chain does not have: a withdrawal must follow. */
  const awaited = new Set<string>();
  const count = ({ event, check }: VerifiedEvent): void => {
    if (check === null) return void (tally.unchecked += 1);
    const name = isTrade(event) ? nameOf(event) : null;
    if (event.type === 'trade.withdrawn' && name !== null && check.status === 'proven') awaited.delete(name);
    if (event.type === 'trade.confirmed' && name !== null && check.status === 'unprovable') awaited.add(name);
    else tally[check.status] += 1;
  };
  return {
    async verify(events) {
      const units = unitsOf(events);
      const earlier = new Map(events.map((event) => [event.id, seen.earlier(event)]));
      const verified: VerifiedEvent[] = [];
      for (let at = 0; at < units.length; at += AT_ONCE) {
        const done = await Promise.all(
          units.slice(at, at + AT_ONCE).map((unit) => verifiedUnit({ ...parts, earlier }, unit)),
        );
        verified.push(...done.flat());
      }
      verified.forEach(count);
      return verified;
    },
    get tally() {
      const { proven, different, unprovable, unchecked } = tally;
      return { proven, different, open: unprovable + awaited.size, unchecked };
    },
  };
}

/** As `slipway verify`: 0 if all is proven, 1 for a difference, 2 for something not provable from here. */
export function exitCodeOfEvents({ different, open }: EventTally): 0 | 1 | 2 {
  if (different > 0) return 1;
  return open > 0 ? 2 : 0;
}

function nameOf({ trade: { signature, index, slot } }: TradeEvent): string {
  return `${signature} ${index} ${slot}`;
}

type Parts = EventChain & {
  readonly chain: Chain;
  /** By an event's id: the event before it about the same movement. */
  readonly earlier: ReadonlyMap<string, string | null>;
};
/** Events of one check. */
type Unit = TradeGroup | SlipwayEvent;

async function verifiedUnit(parts: Parts, unit: Unit): Promise<VerifiedEvent[]> {
  const events: readonly SlipwayEvent[] = 'trades' in unit ? unit.trades : [unit];
  const ask = 'trades' in unit ? () => checkTrades(parts, unit) : checkOf(parts, unit);
  if (ask === null) return events.map((event) => ({ event, check: null }));
  const checks = createChecks();
  await checks.run(events[0]?.type ?? '', ask);
  return events.map((event) => ({ event, check: checks.done[0] ?? null }));
}

/** Null for an event that names no transaction. */
function checkOf(parts: Parts, event: SlipwayEvent): (() => Promise<Outcome<null>>) | null {
  const { payout, claim, harvest, burn, buyback, launch } = event;
  const first = parts.earlier.get(event.id) ?? null;
  if (first !== null) return () => refuseRepeat(event, first);
  if (isTrade(event)) return () => checkWithdrawn(parts.chain, event);
  if (payout) return () => checkPayout(parts, event, payout);
  if (claim) return () => checkClaimPaid(parts, event, claim);
  if (harvest) return () => checkHarvest(parts, event, harvest);
  if (burn) return () => checkBurn(parts, event, burn);
  if (buyback) return () => checkBuyback(parts, event, buyback);
  const isPaid = launch && (launch.paymentSignature !== null || launch.refundSignature !== null);
  return isPaid ? () => checkLaunch(parts, event, launch) : null;
}

function unitsOf(events: readonly SlipwayEvent[]): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < events.length;) {
    const [event] = events.slice(at);
    if (!event) break;
    const trades = isGrouped(event) ? runOf(event, events.slice(at)) : [];
    const end = at + Math.max(1, trades.length);
    const inOrder = trades.every(({ trade }, index) => trade.index === index);
    units.push(isGrouped(event) ? { first: event, trades, isWhole: inOrder && at > 0 && end < events.length } : event);
    at = end;
  }
  return units;
}

function isGrouped(event: SlipwayEvent): event is TradeEvent {
  return isTrade(event) && event.type !== 'trade.withdrawn';
}

/** Returns the first trade and those behind it that are of the same token and transaction. */
function runOf(first: TradeEvent, events: readonly SlipwayEvent[]): TradeEvent[] {
  const isOther = (event: SlipwayEvent) =>
    !isTrade(event) ||
    event.type !== first.type ||
    event.mint !== first.mint ||
    event.trade.signature !== first.trade.signature;
  const end = events.findIndex(isOther);
  return events.slice(0, end < 0 ? events.length : end).filter(isTrade);
}
