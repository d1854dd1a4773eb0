import { createApi } from '../../../client/index.ts';
import { fromCursor, toCursor } from '../../../domain/events/event-cursor.ts';
import { createDice } from '../../support/dice.ts';
import { indexProblems } from '../../support/events/compare-index.ts';
import { createEventIndex, type EventIndex, type IndexedEvent } from '../../support/events/event-index.ts';
import { readAll } from '../../support/events/read-events.ts';
import { eventually } from '../../support/platform/eventually.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { TAPS } from './event-taps.ts';

/** Programs that read the log of events while everything is at work. */
export interface EventReaders {
  /** Waits until each has the whole log, ends them, and says what is not as promised. */
  problems(): Promise<string[]>;
  /** Events that all of them handled. */
  readonly handled: () => number;
  /** How often they were cut, by tap. */
  readonly cuts: Readonly<Record<string, number>>;
}

interface Reader {
  readonly name: string;
  /** Of the log; it is another one once the log was renewed, and the reader begins again. */
  generation: number;
  /** Cursors of handled events. */
  ids: string[];
  index: EventIndex;
}

function handle(reader: Reader, event: IndexedEvent & { readonly id: string }): void {
  const generation = fromCursor(event.id)?.generation ?? 0;
  if (generation > reader.generation) Object.assign(reader, { generation, ids: [], index: createEventIndex() });
  reader.ids.push(event.id);
  reader.index.add(event);
}

/** Starts so many readers of each tap, from the beginning of the log on. */
export function startEventReaders(stack: RealStack, ofEachTap: number, seed: number): EventReaders {
  const api = createApi({ url: `${stack.stack.siteUrl}/api/public/v1`, timeoutMs: 10_000 });
  const [ended, readers, running] = [new AbortController(), [] as Reader[], [] as Promise<void>[]];
  const cuts: Record<string, number> = {};
  for (const [kind, tap] of Object.entries(TAPS)) {
    for (let number = 0; number < ofEachTap; number++) {
      const reader: Reader = { name: `${kind} ${number}`, generation: 0, ids: [], index: createEventIndex() };
      readers.push(reader);
      const tapped = {
        dice: createDice(seed * 1_000 + readers.length),
        onCut: () => void (cuts[kind] = (cuts[kind] ?? 0) + 1),
        handle: (event: IndexedEvent & { readonly id: string }) => handle(reader, event),
      };
      running.push(tap({ api, db: stack.db }, tapped, number, ended.signal));
    }
  }
  return {
    cuts,
    handled: () => readers.reduce((sum, { ids }) => sum + ids.length, 0),
    async problems() {
      const log = await settledLog(stack);
      const last = log.at(-1) ?? '';
      const behind = () => readers.filter(({ ids }) => !ids.includes(last)).map(({ name }) => name);
      const story = () => `without it: ${behind().join(', ')}`;
      await eventually(async () => behind().length === 0 || null, 'the last event at each reader', story);
      ended.abort();
      await Promise.all(running);
      const [first] = readers;
      return [
        ...readers.flatMap((reader) => readerProblems(reader, log)),
        ...(first ? await indexProblems(api, first.index) : []),
      ];
    },
  };
}

/** The log's cursors, once each trade in it is final or withdrawn. */
function settledLog(stack: RealStack): Promise<string[]> {
  return eventually(async () => {
    const stored = await readAll(stack.db);
    const [confirmed, ended] = [
      stored.filter(({ type }) => type === 'trade.confirmed'),
      stored.filter(({ type }) => type === 'trade.final' || type === 'trade.withdrawn'),
    ];
    const nameOf = ({ body }: (typeof stored)[number]) => {
      const { signatureHex, index, slot } = body as { signatureHex: string; index: number; slot: number };
      return `${signatureHex} ${index} ${slot}`;
    };
    const known = new Set(ended.map(nameOf));
    return confirmed.every((trade) => known.has(nameOf(trade))) ? stored.map(({ place }) => toCursor(place)) : null;
  }, 'the end of all trades');
}

function readerProblems({ name, ids, index }: Reader, log: readonly string[]): string[] {
  const read = ids.slice(0, log.length);
  const place = log.findIndex((id, at) => id !== read[at]);
  const twice = ids.length - new Set(ids).size;
  return [
    ...(place < 0 ? [] : [`reader ${name}: event ${place} is ${read[place]} instead of ${log[place]}`]),
    ...(twice === 0 ? [] : [`reader ${name} got ${twice} events twice`]),
    ...(index.undecided() === 0 ? [] : [`reader ${name} shows ${index.undecided()} trades that are undecided`]),
    ...index.problems.map((problem) => `reader ${name}: ${problem}`),
  ];
}
