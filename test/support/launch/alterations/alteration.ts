import type { Creator, Prepared, Submission } from '../../platform/creator.ts';
import type { Platform } from '../../platform/platform.ts';

/** What an alteration is made from: a launch ready to be submitted, and another one of the same creator. */
export interface Original {
  readonly platform: Platform;
  readonly creator: Creator;
  readonly prepared: Prepared;
  readonly submission: Submission;
  readonly other: { readonly prepared: Prepared; readonly submission: Submission };
}

/** One way in which a submission differs from what was issued, and what the refusal's message says. */
export interface Alteration {
  readonly what: string;
  readonly says: RegExp;
  readonly alter: (original: Original) => Partial<Submission> | Promise<Partial<Submission>>;
}
