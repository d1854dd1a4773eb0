import type { StreamEvent } from '../../../chain/stream/chain-stream.ts';
import { standingStill } from '../rpc/scripted-node.ts';

/** Alters the answers of a dishonest endpoint. */
export type Twist = (method: string, result: unknown, params: readonly unknown[]) => unknown;

/** What one endpoint, and the stream, hide of the trades that follow. */
export interface Hiding {
  readonly twist: Twist;
  readonly tell: (event: StreamEvent) => StreamEvent;
  /** Hides all that lands until the function that it returns is called with the trade that landed. */
  readonly expectTrade: () => (landed: Listed) => void;
}

interface Listed {
  readonly signature: string;
  readonly slot: number;
}

/** Begins after this slot. */
interface Since {
  readonly afterSlot: number;
}

/** Ways to hide trades: nothing changes any more; single signatures are missing; a range of slots is missing. */
export const HIDINGS = {
  'stands still': () => ({
    twist: standingStill(),
    tell: (event) => ('slot' in event ? silent(event) : event),
    expectTrade: () => () => undefined,
  }),
  'hides single signatures': (since: Since) => {
    const hidden = new Set<string>();
    return hiding(
      since,
      ({ signature }) => hidden.has(signature),
      ({ signature }) => hidden.add(signature),
    );
  },
  'hides a range of slots': (since: Since) => {
    let last = since.afterSlot;
    return hiding(
      since,
      ({ slot }) => slot > since.afterSlot && slot <= last,
      ({ slot }) => (last = Math.max(last, slot)),
    );
  },
} as const satisfies Record<string, (since: Since) => Hiding>;

/** A stream reports a transaction before a test knows its signature, so it reports none. */
function hiding({ afterSlot }: Since, isKnown: (one: Listed) => boolean, hide: (landed: Listed) => unknown): Hiding {
  let underWay = 0;
  const isHidden = (one: Listed) => isKnown(one) || (underWay > 0 && one.slot > afterSlot);
  return {
    expectTrade() {
      underWay += 1;
      return (landed) => {
        hide(landed);
        underWay -= 1;
      };
    },
    twist(method, result, [first]) {
      if (method === 'getSignaturesForAddress') return (result as readonly Listed[]).filter((one) => !isHidden(one));
      if (method !== 'getTransaction' || result === null) return result;
      return isHidden({ signature: String(first), slot: (result as Listed).slot }) ? null : result;
    },
    tell: (event) => ('signature' in event && event.slot > afterSlot ? silent(event) : event),
  };
}

/** Only slots go on, so that the stream does not look cut. */
function silent({ slot }: { readonly slot: number }): StreamEvent {
  return { kind: 'slot', slot, status: 'confirmed' };
}
