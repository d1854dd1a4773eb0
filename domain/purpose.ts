/** Name of one movement: at most one transaction with it ever takes effect. Also the memo. */
export type Purpose = string & { readonly __purpose: unique symbol };

/** Steps of a launch, in order. */
export const LAUNCH_STEPS = [1, 2, 3, 4] as const;
export type LaunchStep = (typeof LAUNCH_STEPS)[number];

/** Purpose of a launch's step: 1 payment, 2 mint, 3 pool, 4 locks. */
export function launchPurpose(quoteId: string, step: LaunchStep): Purpose {
  return `${launchPrefix(quoteId)}${step}` as Purpose;
}

/** Null for others. */
export function launchStepOf(purpose: Purpose | undefined): LaunchStep | null {
  const [kind, , step] = (purpose ?? '').split('/');
  return (kind === 'launch' && LAUNCH_STEPS.find((one) => String(one) === step)) || null;
}

/** Null for others. */
export function quoteIdOfPayment(text: string): string | null {
  return text.endsWith('/1') ? launchOf(text) : null;
}

/** The quote id in the purpose of a launch's step; null for others. */
export function launchOf(text: string): string | null {
  return /^launch\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[1-4]$/.exec(text)?.[1] ?? null;
}

export function emptyingPurpose(quoteId: string): Purpose {
  return `emptying/${quoteId}` as Purpose;
}

export function airdropPurpose(quoteId: string, batch: number): Purpose {
  return `airdrop/${quoteId}/${batch}` as Purpose;
}

export function airdropSealPurpose(quoteId: string): Purpose {
  return `airdrop/${quoteId}/seal` as Purpose;
}

/** The purposes that movements of a launch may have besides its own steps, with at most so many batches. */
export function movementsOfLaunch(quoteId: string, batches: number): Purpose[] {
  const batch = Array.from({ length: batches }, (_, index) => airdropPurpose(quoteId, index + 1));
  return [emptyingPurpose(quoteId), refundPurpose(quoteId), airdropSealPurpose(quoteId), ...batch];
}

/** Purpose of the seal of a log of receipts and wallets. */
export function logPurpose(number: number): Purpose {
  return `log/${number}` as Purpose;
}

/** True if a final transaction of it moved money. A seal only commits to a document, so nothing needs to be booked. */
export function movesMoney(purpose: Purpose): boolean {
  return !/^(airdrop\/[^/]+\/seal|log\/\d+)$/.test(purpose);
}

export function refundPurpose(quoteId: string): Purpose {
  return `refund/${quoteId}` as Purpose;
}

export function launchPrefix(quoteId: string): string {
  return `launch/${quoteId}/`;
}
