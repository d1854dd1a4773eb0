import type { Lane } from '../../chain/lanes/lane.ts';
import type { LaneSecret } from '../../chain/lanes/lane-secret.ts';

/** The lanes, with the secret that derives the tags of their steps. */
export interface LaneContext {
  readonly lanes: readonly Lane[];
  readonly secret: LaneSecret;
}
