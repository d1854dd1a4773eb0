import type { Generated } from 'kysely';
import type { Json } from './columns.ts';

/** Written only by triggers. `xid` is read as text. */
export interface EventTable {
  xid: Generated<string>;
  id: Generated<bigint>;
  day: Generated<number>;
  at: Generated<Date>;
  type: string;
  mint: string | null;
  wallet: string | null;
  creator: string | null;
  body: Json;
}

export interface EventLogTable {
  isOnly: Generated<boolean>;
  generation: Generated<number>;
  droppedXid: Generated<string>;
  droppedId: Generated<bigint>;
}

export interface EventsTables {
  events: EventTable;
  eventLog: EventLogTable;
}
