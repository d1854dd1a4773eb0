import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger } from 'fastify';
import type { ApiConfig } from '../config/api.ts';
import type { Db } from '../db/connect.ts';
import type { StreamSettings } from './events/stream-settings.ts';
import type { FeesReader } from './claim/fees-reader.ts';
import type { SwitchReader } from './features.ts';
import type { LaunchApiDeps } from './launch/deps.ts';
import type { RequestMeters } from './metrics/request-meters.ts';
import type { Traces } from '../observe/traces/traces.ts';
import type { ReadinessProbe } from './health/readiness.ts';
import type { ApiInstance } from './instance.ts';
import type { SlowClientSettings } from './plugins/slow-clients.ts';
import type { TurnSettings } from './plugins/turns.ts';
import type { RateStore } from './plugins/shared-rate-store.ts';

export interface ApiExtension {
  /** Relative to the site's URL, as `/more`. Pages of other origins may not call them. */
  readonly path: string;
  register(app: ApiInstance, deps: ApiDeps): Promise<void>;
}

/** Tests pass the real local parts. */
export interface ApiDeps {
  readonly config: ApiConfig;
  readonly logger: FastifyBaseLogger;
  readonly db: Db;
  /**
   * For lists, sums and series that may be seconds old: the standby, else `db`. Never for outcomes of launches and
   * claims, or the existence of tokens.
   */
  readonly reads: Db;
  /** Connects on first use. */
  readonly client: Client;
  readonly switches: SwitchReader;
  readonly launching: LaunchApiDeps;
  /** Default: this process's memory. */
  readonly rateStore?: RateStore | undefined;
  readonly requestMeters?: RequestMeters;
  /** Of requests that change something; absent: none. */
  readonly traces?: Traces | null;
  /** One per dependency. */
  readonly probes: readonly ReadinessProbe[];
  /** Times and limits of event streams; absent: the usual ones. */
  readonly streams?: StreamSettings;
  /** Bounds clients that send or read slowly; absent: the usual bounds. */
  readonly slowClients?: SlowClientSettings;
  /** How many requests are worked for at once; absent: the usual numbers. */
  readonly turns?: TurnSettings;
  readonly extension?: ApiExtension;
  readonly now: () => Date;
}

/** Dependencies of the versioned endpoints. The app makes the further ones. */
export interface EndpointDeps extends ApiDeps {
  readonly fees: FeesReader;
}
