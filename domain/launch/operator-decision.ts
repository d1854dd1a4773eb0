/** Decisions about a launch in `needs_recovery`. */
export const RESOLUTION_ACTIONS = ['resume', 'refund', 'record'] as const;

/**
 * `resume`: sign and send what is missing. `refund`: payment and network fee, once nothing else can land. `record`: the
 * chain has mint, pool and both locks.
 */
export type ResolutionAction = (typeof RESOLUTION_ACTIONS)[number];

/** An operator's decision. Never contains a destination of money. */
export interface Resolution {
  readonly action: ResolutionAction;
  /** The parking that it decides, from 1: after another parking the operator has not seen the reason. */
  readonly parking: number;
  /** `resume` sells the dev buy's tokens at the quote's price although they are worth more; default false. */
  readonly atSealedPrice?: boolean;
  /** Kept in the audit log. */
  readonly note: string;
  /** Absent for the Temporal UI, whose history has the identity. */
  readonly actor?: string;
}

/** Checks a decision from outside; returns the problem, undefined if valid. */
export function problemOfResolution(choice: unknown): string | undefined {
  if (typeof choice !== 'object' || choice === null) return 'send an object {"action": …, "parking": …, "note": …}';
  const { action, note, actor, parking, atSealedPrice } = choice as Partial<Record<keyof Resolution, unknown>>;
  if (!RESOLUTION_ACTIONS.some((known) => known === action)) {
    return `action ${JSON.stringify(action)} is unknown; use one of ${RESOLUTION_ACTIONS.join(', ')}`;
  }
  if (!Number.isSafeInteger(parking) || Number(parking) < 1) {
    return 'parking must be the number of the parking that it is about; the details of the workflow and `launches show` say it';
  }
  if (atSealedPrice !== undefined && typeof atSealedPrice !== 'boolean') return 'atSealedPrice must be true or false';
  if (typeof note !== 'string' || note.trim() === '' || note.length > 1_000) {
    return 'note must say why, in 1 to 1,000 characters; it is kept with the launch';
  }
  return actor === undefined || (typeof actor === 'string' && actor !== '') ? undefined : 'actor must be a name';
}

/** Undefined if it applies to the present parking. */
export function problemOfParking(decided: number, present: number, blockedReason: string | null): string | undefined {
  if (decided === present) return undefined;
  return `it is about parking ${decided} of the launch, which is at parking ${present}: ${blockedReason ?? 'no reason is known'}`;
}
