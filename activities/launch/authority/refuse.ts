/** The proposal differs from what the worker derives. May be shown to the creator. */
export class ProposalRefusedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProposalRefusedError';
  }
}

export function assertSame(what: string, proposed: string, derived: string): void {
  if (proposed === derived) return;
  throw new ProposalRefusedError(`${what} ${proposed} was proposed, and ${derived} is right`);
}

/** The part of a launch that is on the chain. */
export type Landed = 'nothing' | 'payment' | 'all';
