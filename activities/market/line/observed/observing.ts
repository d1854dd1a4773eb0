import type { AccountPart } from '../../../../chain/exchange/exchange.ts';
import { fingerprint } from '../../../../chain/market/pool-changes.ts';
import type { Rpc } from '../../../../chain/rpc/rpc.ts';
import type { StreamEvent } from '../../../../chain/stream/chain-stream.ts';
import { Blocks } from './blocks.ts';
import { HeldNotes } from './held-notes.ts';
import { Hole } from './hole.ts';
import { MissedTransactions } from './missed.ts';
import { SeenPools } from './seen-pools.ts';
import { Supplies } from './supplies.ts';
import { WaitingTransactions } from './waiting.ts';
import type { WatchList } from './watch-list.ts';

export type Readable = Exclude<StreamEvent, { kind: 'unreadable' }>;

/** Holds what a source has reported and later stages have not taken. Each part changes its own state alone. */
export interface Observing {
  readonly list: WatchList;
  /** Part of a pool's account that swaps change. */
  readonly part: AccountPart;
  readonly blocks: Blocks;
  readonly waiting: WaitingTransactions;
  readonly missed: MissedTransactions;
  readonly seen: SeenPools;
  readonly held: HeldNotes;
  readonly hole: Hole;
  readonly supplies: Supplies;
}

/** @param now monotonic clock, ms */
export function createObserving(list: WatchList, rpc: Rpc, part: AccountPart, now: () => number): Observing {
  const blocks = new Blocks(now);
  return {
    list,
    part,
    blocks,
    waiting: new WaitingTransactions(blocks, now),
    missed: new MissedTransactions(now),
    seen: new SeenPools(),
    held: new HeldNotes(list),
    hole: new Hole(),
    supplies: new Supplies(rpc),
  };
}

/** Takes one report of the source. */
export function observe(observing: Observing, event: Readable): void {
  if (event.kind === 'transaction') return observeTransaction(observing, event);
  if (event.kind === 'account') return observeAccount(observing, event);
  observing.blocks.receive(event);
  if (event.kind === 'block') return;
  if (event.status === 'finalized') observing.missed.prune(event.slot);
  if (event.status === 'dead') for (const part of [observing.missed, observing.waiting]) part.drop(event.slot);
}

function observeTransaction(
  { list, missed, held, hole, waiting }: Observing,
  event: Extract<StreamEvent, { kind: 'transaction' }>,
): void {
  const { response, slot, signature } = event;
  const keys = response.transaction.message.getAccountKeys({ accountKeysFromLookups: response.meta?.loadedAddresses });
  const pools = keys
    .keySegments()
    .flat()
    .flatMap((key) => list.poolOfVault(key.toBase58()) ?? []);
  missed.noteReported(slot, signature);
  held.noteIn(response);
  if (pools.length === 0) return;
  for (const pool of pools) hole.touch(pool);
  waiting.add(event, pools);
}

function observeAccount(
  { list, part, missed, seen, hole, supplies }: Observing,
  { address, account, slot, signature }: Extract<StreamEvent, { kind: 'account' }>,
): void {
  if (list.has(address)) {
    hole.touch(address);
    seen.note(address, { slot, hash: fingerprint(account, part) });
    if (signature !== null) missed.expect({ pool: address, slot, signature });
  }
  // On the local exchange a pool's account is a mint.
  if (list.isMint(address)) supplies.note(address, account);
}

/** Returns the oldest slot of a waiting or missed transaction, per pool. */
export function oldestOpen({ waiting, missed }: Observing): ReadonlyMap<string, number> {
  const open = [
    ...waiting.all.flatMap(({ event: { slot }, pools }) => pools.map((pool) => ({ pool, slot }))),
    ...missed.all,
  ];
  const oldest = new Map<string, number>();
  for (const { pool, slot } of open) oldest.set(pool, Math.min(oldest.get(pool) ?? slot, slot));
  return oldest;
}

export function untakenSlots({ held, seen }: Observing): number[] {
  return [...held.all, ...seen.all.values()].map(({ slot }) => slot);
}

/** Notes that the source lost data: supplies may be outdated. */
export function noteHole({ hole, seen, supplies, waiting }: Observing, unsettled: readonly string[]): void {
  supplies.forget();
  hole.open([...unsettled, ...seen.all.keys(), ...waiting.all.flatMap(({ pools }) => pools)]);
}
