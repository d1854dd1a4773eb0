/** What an operator can decide about a launch that is parked in `needs_recovery`. */
export const RESOLUTION_ACTIONS = ['resume', 'refund', 'record'] as const;

/**
 * `resume`: sign what is missing anew and send it; nothing that landed is repeated · `refund`: give the creator the payment
 * and its network fee back, once nothing else can land · `record`: the chain shows mint, pool and both locks, so go on.
 */
export type ResolutionAction = (typeof RESOLUTION_ACTIONS)[number];

/** An operator's decision. The destination of money is never part of it. */
export interface Resolution {
  readonly action: ResolutionAction;
  /** Why, in the operator's words; kept in the audit log. */
  readonly note: string;
  /** Who decided; absent where the Temporal UI was used, whose history names the identity. */
  readonly actor?: string;
}

/** What is wrong with a decision that came from outside; undefined when nothing is. */
export function problemOfResolution(choice: unknown): string | undefined {
  if (typeof choice !== 'object' || choice === null) return 'send an object {"action": …, "note": …}';
  const { action, note, actor } = choice as Partial<Record<keyof Resolution, unknown>>;
  if (!RESOLUTION_ACTIONS.some((known) => known === action)) {
    return `action ${JSON.stringify(action)} is unknown; use one of ${RESOLUTION_ACTIONS.join(', ')}`;
  }
  if (typeof note !== 'string' || note.trim() === '' || note.length > 1_000) {
    return 'note must say why, in 1 to 1,000 characters; it is kept with the launch';
  }
  return actor === undefined || (typeof actor === 'string' && actor !== '') ? undefined : 'actor must be a name';
}
