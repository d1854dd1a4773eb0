import { answersOf, type EndpointSet } from './endpoints.ts';
import { isReached, reachedBy } from './head.ts';
import { BlockhashShape } from './shapes.ts';

/** The newest finalized slot; one read per slot for all callers. */
export interface FinalHeadReader {
  /** @throws RpcUnavailableError when no quorum responds, or none near each other */
  read(): Promise<number>;
}

const GRACE_MS = 2_000;

/** ms: one slot. A caller that waits for a slot sees it this much later, never too early. */
const KEPT_MS = 400;

export function createFinalHeadReader(endpoints: EndpointSet, now: () => number): FinalHeadReader {
  let kept: { readonly at: number; readonly head: Promise<number> } | undefined;
  return {
    read() {
      if (kept && now() - kept.at < KEPT_MS) return kept.head;
      const asked = { at: now(), head: finalHead(endpoints) };
      kept = asked;
      // A failure is not cached.
      asked.head.catch(() => kept === asked && (kept = undefined));
      return asked.head;
    },
  };
}

async function finalHead(endpoints: EndpointSet): Promise<number> {
  const replies = await endpoints.quorumReplies(
    (endpoint) => endpoint.call('getLatestBlockhash', [{ commitment: 'finalized' }], BlockhashShape),
    {
      graceMs: GRACE_MS,
      isDecided: (said) =>
        isReached(
          endpoints,
          said.map(({ context }) => context.slot),
        ),
    },
  );
  return reachedBy(
    endpoints,
    'slot',
    answersOf(replies).map(({ context }) => context.slot),
  );
}
