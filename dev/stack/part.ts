import type { HealthCheck } from './health.ts';
import type { StopSignal } from './run-record.ts';

export type PartSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Nothing is inherited; each start adds `INSTANCE_ID`. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly address: string;
  readonly ports: readonly number[];
  readonly health: HealthCheck;
  /** Never recovers from: it is restarted. Default: none. */
  readonly isBroken?: (error: unknown) => boolean;
  readonly readyWithinMs: number;
  readonly stopStage: number;
  readonly stopSignal: StopSignal;
  readonly stopWithinMs: number;
};

export type StackEvent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'starting'; readonly part: string; readonly address: string }
  | { readonly kind: 'ready'; readonly part: string; readonly address: string; readonly ms: number }
  | { readonly kind: 'died'; readonly part: string; readonly how: string }
  | { readonly kind: 'restarted'; readonly part: string; readonly ms: number }
  | { readonly kind: 'restart-failed'; readonly part: string; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: 'stopping'; readonly part: string }
  | { readonly kind: 'stopped'; readonly part: string; readonly how: 'graceful' | 'killed' };

export type OnEvent = (event: StackEvent) => void;
