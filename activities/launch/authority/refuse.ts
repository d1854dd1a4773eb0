/** Something of a proposed launch is not what the worker derives by itself. The message may be told to the creator. */
export class ProposalRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProposalRefusedError';
  }
}

/** Throws a ProposalRefusedError unless what was proposed is what was derived. */
export function assertSame(what: string, proposed: string, derived: string): void {
  if (proposed === derived) return;
  throw new ProposalRefusedError(`${what} ${proposed} was proposed, and ${derived} is right`);
}
