import type { PlaceLimits } from '../../domain/places.ts';

/** Times of a stream, ms. */
export interface StreamPace {
  /** A sign of life, at the tick after it (`event-hub.ts`), so every 4 s. Below the idle timeouts of proxies, and of clients: httpx ends after 5 s. */
  readonly beatMs: number;
  /** Then it ends, and the client connects again: so that load spreads over processes. */
  readonly lifeMs: number;
  /** A client that takes nothing for so long is cut off. */
  readonly stallMs: number;
}

export interface StreamSettings {
  readonly pace: StreamPace;
  /** None waits for a place: a client can read `GET /events` meanwhile. */
  readonly limits: Required<Pick<PlaceLimits, 'inAll' | 'perClient'>>;
}

/**
 * Settings of event streams. Their places are beside the connections that a process takes for requests (`app.ts`); the
 * proxy of the set-up sends fewer (`test/deploy/pools.test.ts`).
 */
export const STREAM_SETTINGS: StreamSettings = {
  pace: { beatMs: 3_750, lifeMs: 15 * 60_000, stallMs: 30_000 },
  limits: { perClient: 10, inAll: 1_000 },
};
