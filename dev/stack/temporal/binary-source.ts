import type { ProcessIdentity } from '../process-table.ts';

/** Tells a person what takes so long. */
export type OnProgress = (text: string) => void;

/** What a way to get the binary may use. */
export type SourceContext = {
  readonly onProgress: OnProgress;
  /** Told of each process group that is started, so that it ends with us; the answer is called when it has ended. */
  readonly track: (name: string, leader: ProcessIdentity) => () => void;
};

/** One way to put the binary at `target`; rejects when it cannot. */
export type BinarySource = {
  readonly name: string;
  readonly provide: (target: string, context: SourceContext) => Promise<void>;
};
