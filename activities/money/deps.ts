import type { Logger } from 'pino';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { Db } from '../../db/connect.ts';
import type { Lanes } from './lanes.ts';

export interface MoneyDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly lanes: Lanes;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Rejects if the activity is cancelled. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly heartbeat: () => void;
}

export interface FollowSettings {
  /** Between two polls. */
  readonly pollMs: number;
  readonly resendMs: number;
}
