import { answersOf, type EndpointSet, saidByQuorum } from './endpoints.ts';
import { reachedBy } from './head.ts';
import { BlockhashShape } from './shapes.ts';

/** The newest final slot, with its block's hash as far as that is known with it. */
export interface FinalHead {
  /** As `agreedHead` would say it. */
  readonly slot: number;
  /** base58; null where no quorum named it with this slot: `blockAt` says it. */
  readonly blockhash: string | null;
}

/** Reads it, once for all who ask within a slot. */
export interface FinalHeadReader {
  /** @throws RpcUnavailableError when no quorum answers, or none that is near one another. */
  read(): Promise<FinalHead>;
}

/** How long endpoints are waited for once one has answered, in ms. */
const GRACE_MS = 2_000;

/** How long an answer is good, in ms: as long as a slot. Whoever waits for a slot hears of it so much later at most, and never too early. */
const KEPT_MS = 400;

/** Makes one; `now` is a clock in ms. */
export function createFinalHeadReader(endpoints: EndpointSet, now: () => number): FinalHeadReader {
  let kept: { readonly at: number; readonly head: Promise<FinalHead> } | undefined;
  return {
    read() {
      if (kept && now() - kept.at < KEPT_MS) return kept.head;
      const asked = { at: now(), head: finalHead(endpoints) };
      kept = asked;
      // A failure is not kept.
      asked.head.catch(() => kept === asked && (kept = undefined));
      return asked.head;
    },
  };
}

/** A blockhash comes with the slot whose block it is of. */
async function finalHead(endpoints: EndpointSet): Promise<FinalHead> {
  const replies = await endpoints.promptReplies(
    (endpoint) => endpoint.call('getLatestBlockhash', [{ commitment: 'finalized' }], BlockhashShape),
    GRACE_MS,
  );
  const said = answersOf(replies).map(({ value, context }) => ({ slot: context.slot, blockhash: value.blockhash }));
  const slot = reachedBy(
    endpoints,
    'slot',
    said.map((one) => one.slot),
  );
  const named = said.flatMap((one) => (one.slot === slot ? [one.blockhash] : []));
  return { slot, blockhash: saidByQuorum(endpoints, named) ?? null };
}
