/** What an operator decides about a launch that is parked in `needs_recovery`. The destination of money is never a choice. */
export interface Resolution {
  /** `resume`: sign what is missing anew and send it; nothing that landed is repeated. */
  readonly action: 'resume';
  /** Why, in the operator's words; kept in the audit log. */
  readonly note: string;
}
