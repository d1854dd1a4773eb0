export interface Remains {
  /** Null if lost. */
  readonly payment: string | null;
  /** Null if lost. */
  readonly mint: string | null;
}

/** May be invalid JSON. */
export function readRemains(kept: string): Remains {
  const [, payment = null] = /"paymentSignature":"([1-9A-HJ-NP-Za-km-z]{64,88})"/.exec(kept) ?? [];
  const [, mint = null] = /"mint":"([1-9A-HJ-NP-Za-km-z]{32,44})"/.exec(kept) ?? [];
  return { payment, mint };
}
