import type { Logger } from 'pino';
import type { BundleRelay } from '../../chain/relay/bundle-relay.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { PermanentStore } from '../../chain/storage/permanent-store.ts';
import type { LaunchBuilder } from '../../chain/launch/bundle.ts';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import type { Db } from '../../db/connect.ts';

/** Figures that decide how a bundle is paid for and followed. */
export interface LandingSettings {
  /** Tip of a bundle, in lamports. */
  readonly tipLamports: bigint;
  /** Priority fee of the transactions after the payment, in micro-lamports per compute unit. */
  readonly computeUnitPrice: bigint;
  /** Pause between two looks at the chain, in ms. */
  readonly pollMs: number;
  /** Pause between two sends of the same bytes, in ms. */
  readonly resendMs: number;
  /** How often the missing rest of a bundle is signed anew before an operator is asked. */
  readonly resumeTries: number;
}

/** Everything the steps of a launch use from outside. */
export interface LaunchDeps {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly relay: BundleRelay;
  readonly builder: LaunchBuilder;
  readonly store: PermanentStore;
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
  readonly settings: LandingSettings;
  readonly siteUrl: string;
  readonly logger: Logger;
  /** The present moment. */
  readonly now: () => Date;
  /** Resolves after so many ms, or rejects when the activity is cancelled. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells Temporal that the activity is alive. */
  readonly heartbeat: () => void;
}
