/** What was to be signed, or what a wallet signed, is not what was agreed. Nothing was sent, so nothing can land. */
export class RefusedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`refused: ${what}; nothing was sent`, { cause });
    this.name = 'RefusedError';
  }
}

/** Throws a RefusedError unless something holds. */
export function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new RefusedError(otherwise);
}
