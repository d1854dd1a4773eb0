import type { Generated } from 'kysely';
import type { Purpose } from '../../domain/purpose.ts';
import type { Bytes, Fixed } from './columns.ts';

/** `open` may happen · `done` is final · `void` another step has its number. */
export type LaneStepState = 'open' | 'done' | 'void';

export interface LaneTable {
  lane: Fixed<number>;
  mint: Fixed<string>;
  account: Fixed<string>;
  authority: Fixed<string>;
  seedId: Fixed<string>;
  number: Generated<number>;
  value: Generated<bigint>;
  slot: Generated<bigint>;
  movedAt: Generated<Date>;
  learnedSlot: bigint | null;
}

export interface LaneStepTable {
  lane: Fixed<number>;
  number: Fixed<number>;
  toValue: Fixed<bigint>;
  fromValue: Fixed<bigint>;
  digest: Bytes;
  purpose: Purpose | null;
  state: Generated<LaneStepState>;
  signature: string | null;
  slot: bigint | null;
  openedAt: Generated<Date>;
  settledAt: Date | null;
}
