import type { Client } from '@temporalio/client';
import type { FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyBaseLogger } from 'fastify';
import type { ApiConfig } from '../config/api.ts';
import type { Db } from '../db/connect.ts';
import type { SwitchReader } from './features.ts';
import type { LaunchApiDeps } from './launch/deps.ts';
import type { RequestMeters } from './metrics/request-meters.ts';
import type { Traces } from '../observe/traces/traces.ts';
import type { ReadinessProbe } from './health/readiness.ts';

/** Everything the API uses from outside, handed to `buildApp`; tests hand in the real local parts. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly logger: FastifyBaseLogger;
  readonly db: Db;
  /**
   * Where lists, sums and series are read that may be some seconds old: a standby where one is configured and keeps up, else the same as
   * `db`. Nothing that says what became of a launch or a claim, or whether a token is there, is read from it.
   */
  readonly reads: Db;
  /** Starts, updates and queries workflows; it connects on first use. */
  readonly client: Client;
  readonly switches: SwitchReader;
  readonly launching: LaunchApiDeps;
  /** Where requests are counted; this process's memory when absent. */
  readonly rateStore?: FastifyRateLimitStoreCtor | undefined;
  /** Told of every request. */
  readonly requestMeters?: RequestMeters;
  /** Where requests that do something are traced; nowhere when absent. */
  readonly traces?: Traces | null;
  /** What `/readyz` asks, one probe for each dependency. */
  readonly probes: readonly ReadinessProbe[];
  /** The present moment. */
  readonly now: () => Date;
}
