import type { Answer, Api } from '../http/api.ts';
import { askPatiently, pause, type Patience } from '../progress/follow.ts';

export type SlipwayEvent = Answer<'GET /events'>['events'][number];

export interface EventsOptions extends Omit<Patience, 'patienceMs'> {
  readonly api: Api;
  /** A cursor: an event's `id`, or the last page's `cursor`. `oldest`: all that is kept; `now`: only later ones. */
  readonly after: string;
  /** Filters; several are combined. `types` are separated by commas. */
  readonly types?: string;
  readonly mint?: string;
  readonly wallet?: string;
  readonly creator?: string;
  /** Default: end at the end of the log. */
  readonly follow?: boolean;
}

export interface EventPage {
  readonly events: readonly SlipwayEvent[];
  /** Keep it once the page is handled: the next run begins there. */
  readonly cursor: string;
}

/** Events of one request. */
const PAGE = 100;

/** How long a request is repeated before it fails. */
const PATIENCE_MS = 3_600_000;

/**
 * Reads the log page by page, oldest event first: each event once and none left out, if each run begins at the cursor
 * of the last handled page. Rejects with an ApiError: that of a cursor that is too old has `beside.oldestCursor`.
 */
export async function* readEvents(options: EventsOptions): AsyncGenerator<EventPage> {
  const { api, after, follow = false, pollMs = 1_000, signal } = options;
  const patience = { patienceMs: follow ? PATIENCE_MS : 60_000, pollMs, ...(signal && { signal }) };
  for (let cursor = after; ;) {
    const query = { after: cursor, limit: PAGE, ...filterOf(options) };
    const request = { query, ...(signal && { signal }) };
    const { events, pagination } = await askPatiently(() => api.ask('GET /events', request), patience);
    cursor = pagination.nextCursor;
    yield { events, cursor };
    if (pagination.hasMore) continue;
    if (!follow) return;
    await pause(pollMs, signal);
  }
}

function filterOf({ types, mint, wallet, creator }: EventsOptions) {
  return {
    ...(types !== undefined && { types }),
    ...(mint !== undefined && { mint }),
    ...(wallet !== undefined && { wallet }),
    ...(creator !== undefined && { creator }),
  };
}
