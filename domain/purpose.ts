/** Key of one money movement: at most one transaction with a purpose ever takes effect. It is also the transaction's memo. */
export type Purpose = string & { readonly __purpose: unique symbol };

/** The four transactions of a launch bundle, in order. */
export const LAUNCH_STEPS = [1, 2, 3, 4] as const;
export type LaunchStep = (typeof LAUNCH_STEPS)[number];

/** Purpose of one transaction of a launch: 1 payment, 2 mint, 3 pool, 4 locks. */
export function launchPurpose(quoteId: string, step: LaunchStep): Purpose {
  return `${launchPrefix(quoteId)}${step}` as Purpose;
}

/** The quote that a text names as the purpose of a payment; null for any other text. */
export function quoteIdOfPayment(text: string): string | null {
  return /^launch\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/1$/.exec(text)?.[1] ?? null;
}

export function emptyingPurpose(quoteId: string): Purpose {
  return `emptying/${quoteId}` as Purpose;
}

/** Purpose of one delivery of an airdrop; batches count from 1. */
export function airdropPurpose(quoteId: string, batch: number): Purpose {
  return `airdrop/${quoteId}/${batch}` as Purpose;
}

export function refundPurpose(quoteId: string): Purpose {
  return `refund/${quoteId}` as Purpose;
}

/** What the purposes of one launch's transactions begin with. */
export function launchPrefix(quoteId: string): string {
  return `launch/${quoteId}/`;
}
