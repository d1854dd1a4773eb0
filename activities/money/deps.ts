import type { Logger } from 'pino';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import type { Lanes } from './lanes.ts';

/** What moving money needs from outside. */
export interface MoneyDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  /** The lanes of this process. */
  readonly lanes: Lanes;
  readonly logger: Logger;
  /** The present moment. */
  readonly now: () => Date;
  /** Resolves after so many ms, or rejects when the activity is cancelled. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells Temporal that the activity is alive. */
  readonly heartbeat: () => void;
}

/** How closely a transaction is followed. */
export interface FollowSettings {
  /** Pause between two looks at the chain, in ms. */
  readonly pollMs: number;
  /** Pause between two sends of the same bytes, in ms. */
  readonly resendMs: number;
}
