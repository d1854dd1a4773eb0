/**
 * The memo of a launch's fourth transaction: the key of its terms in the permanent store. The launch wallet signs it.
 * It is not in the payment: clients refuse to sign a payment with a memo that they do not know.
 */
export function termsMemo(key: string): string {
  return `terms/${key}`;
}

/** Null if no memo names terms. */
export function termsKeyIn(memos: readonly string[]): string | null {
  return memos.flatMap((memo) => /^terms\/([\w-]{43})$/.exec(memo)?.[1] ?? [])[0] ?? null;
}
