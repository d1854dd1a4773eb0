import type { HealthCheck } from './health.ts';
import type { StopSignal } from './run-record.ts';

/** One child process of the stack: how to start it, how to tell that it is ready, how to end it. */
export type PartSpec = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process; nothing is inherited beside it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Where it listens, for messages. */
  readonly address: string;
  readonly health: HealthCheck;
  /** Failures of its health after which the process never is well again by itself: it is ended, and started again. Default: none. */
  readonly isBroken?: (error: unknown) => boolean;
  readonly readyWithinMs: number;
  /** At the end parts stop stage by stage, lowest first. */
  readonly stopStage: number;
  readonly stopSignal: StopSignal;
  /** After this many milliseconds SIGKILL follows the stop signal. */
  readonly stopWithinMs: number;
};

/** What happens in the stack, for a console or a test. */
export type StackEvent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'starting'; readonly part: string; readonly address: string }
  | { readonly kind: 'ready'; readonly part: string; readonly address: string; readonly ms: number }
  | { readonly kind: 'died'; readonly part: string; readonly how: string }
  | { readonly kind: 'restarted'; readonly part: string; readonly ms: number }
  | { readonly kind: 'restart-failed'; readonly part: string; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: 'stopping'; readonly part: string }
  | { readonly kind: 'stopped'; readonly part: string; readonly how: 'graceful' | 'killed' };

/** Receives what happens in the stack. */
export type OnEvent = (event: StackEvent) => void;
