import { transaction } from '../../../db/connect.ts';
import { lockSubject, SignedAnewError } from '../../../db/money/corrections.ts';
import * as findings from '../../../db/money/findings.ts';
import * as auditLog from '../../../db/platform/audit-log.ts';
import type { ClosingKind } from '../../../domain/money/closing.ts';
import type { Remedy } from '../../../domain/money/finding.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { assertNothingForgotten, ForgottenMayLandError } from '../learn.ts';
import { ADOPTIONS } from './adopt.ts';
import { BURIALS } from './bury.ts';
import { CORRECTIONS } from './correct.ts';
import { type CarryOut, RemedyRefusedError } from './refused.ts';

export interface RemedyRequest {
  readonly remedy: Remedy;
  /** Kind/id, as the finding names it. */
  readonly subject: string;
  readonly purpose?: string;
  readonly actor: string;
  readonly note: string;
}

export interface RemedyAnswer {
  readonly done: boolean;
  readonly text: string;
}

export type RemedyActivities = ReturnType<typeof createRemedyActivities>;

type Remedies = Readonly<Record<Remedy, Readonly<Record<string, CarryOut>>>>;

/** Remedies of the nouns, by the kind of their subject. */
export interface NounRemedies {
  readonly adopt: Readonly<Record<string, CarryOut>>;
  readonly correct: Readonly<Record<string, CarryOut>>;
  readonly close: Readonly<Record<ClosingKind, CarryOut>>;
}

/** The worker alone has proofs and keys. */
export function createRemedyActivities(deps: ReconcileDeps, { adopt, correct, close }: NounRemedies) {
  const remedies: Remedies = {
    adopt: { ...ADOPTIONS, ...adopt },
    bury: BURIALS,
    correct: { ...CORRECTIONS, ...correct },
    close,
  };
  return {
    carryOut: (request: RemedyRequest): Promise<RemedyAnswer> => carryOut(deps, remedies, request),
  };
}

async function carryOut(deps: ReconcileDeps, remedies: Remedies, request: RemedyRequest): Promise<RemedyAnswer> {
  try {
    const carry = remedyFor(remedies, request);
    if (request.remedy === 'close') await learnOrRefuse(deps);
    const text = await transaction(deps.db, async (tx) => {
      // Lock before any read: a parallel remedy would mend what is mended.
      await lockSubject(tx, request.subject);
      const done = await carry({ ...deps, db: tx }, request.subject, request.purpose);
      await findings.forget(tx, request.subject);
      await audit({ ...deps, db: tx }, request, done);
      return done;
    });
    deps.logger.warn({ ...request, text }, 'operator mended the books');
    return { done: true, text };
  } catch (error) {
    if (!(error instanceof RemedyRefusedError || error instanceof SignedAnewError)) throw error;
    return { done: false, text: error.message };
  }
}

/** A restored ledger learns from the chain first: closed work must not have happened there. */
async function learnOrRefuse(deps: ReconcileDeps): Promise<void> {
  try {
    await deps.lanes.learn();
    await assertNothingForgotten(deps);
  } catch (error) {
    if (!(error instanceof ForgottenMayLandError)) throw error;
    throw new RemedyRefusedError(`${error.message}; try again behind it`);
  }
}

/** @throws RemedyRefusedError if the remedy is not for this kind of subject */
function remedyFor(remedies: Remedies, { remedy, subject }: RemedyRequest): CarryOut {
  const noun = subject.split('/')[0] ?? '';
  const carry = Object.hasOwn(remedies[remedy], noun) ? remedies[remedy][noun] : undefined;
  if (carry) return carry;
  throw new RemedyRefusedError(`${remedy} is for ${Object.keys(remedies[remedy]).join(', ')}, not for ${subject}`);
}

function audit({ db }: ReconcileDeps, { remedy, subject, actor, note }: RemedyRequest, text: string): Promise<void> {
  return auditLog.append(db, { actor, action: `books.${remedy}`, subject, note, details: { text } });
}
