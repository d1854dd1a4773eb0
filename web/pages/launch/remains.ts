/** What is still to be read of a signed launch that was kept and cannot be gone on with. */
export interface Remains {
  /** Signature of the payment; null where it is lost. */
  readonly payment: string | null;
  /** Address that the token was to get; null where it is lost. */
  readonly mint: string | null;
}

/** Looks for them in a text that is no JSON any more. */
export function remainsIn(kept: string): Remains {
  const [, payment = null] = /"paymentSignature":"([1-9A-HJ-NP-Za-km-z]{64,88})"/.exec(kept) ?? [];
  const [, mint = null] = /"mint":"([1-9A-HJ-NP-Za-km-z]{32,44})"/.exec(kept) ?? [];
  return { payment, mint };
}
