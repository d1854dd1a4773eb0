import type { ProcessIdentity } from '../process-table.ts';

export type OnProgress = (text: string) => void;

export type SourceContext = {
  readonly onProgress: OnProgress;
  /** Must end with the stack; the result unregisters it. */
  readonly track: (name: string, leader: ProcessIdentity) => () => void;
};

export type BinarySource = {
  readonly name: string;
  readonly provide: (target: string, context: SourceContext) => Promise<void>;
};
