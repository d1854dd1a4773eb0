/** What a command reads and writes outside its database, handed in so that tests see it. */
export interface OpsIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of a running local stack's file; it is asked where a variable is absent. */
  readonly stackFile: string;
  /** Who runs the command when `--actor` does not say: the OS user. */
  readonly user: () => string;
  readonly write: (text: string) => void;
  /** Tells people what is under way; not part of the answer. */
  readonly progress?: (text: string) => void;
}

/** A command that did nothing, for a reason the operator should read; the process ends with status 1. */
export class OpsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OpsError';
  }
}
