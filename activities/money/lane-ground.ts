import type { Lane } from '../../chain/lanes/lane.ts';
import type { LaneSecret } from '../../chain/lanes/lane-secret.ts';

/** All lanes with the secret that names their steps. */
export interface LaneGround {
  readonly lanes: readonly Lane[];
  readonly secret: LaneSecret;
}
