import type { LaunchKeys } from '../../chain/keys/launch-keys.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';

export interface Delivery {
  readonly launch: LaunchRecord;
  readonly terms: AirdropTerms;
  readonly keys: LaunchKeys;
}
