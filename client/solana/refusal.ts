/** A transaction, to sign or signed, differs from the agreement. Nothing was sent. */
export class RefusedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`refused: ${what}; nothing was sent`, { cause });
    this.name = 'RefusedError';
  }
}

export function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new RefusedError(otherwise);
}
