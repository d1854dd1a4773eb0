import type { FastifyBaseLogger } from 'fastify';
import Type, { type Static } from 'typebox';
import { type CheckedPayment, checkSignedPayment, quoteIdIn } from '../../chain/launch/check-payment.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { blocksLeft } from '../../chain/rpc/blocks-left.ts';
import { logoHash, parseDataUrl } from '../../chain/storage/logo.ts';
import { ContradictionError, isTransientDatabaseError } from '../../db/errors.ts';
import { insertIntake, refuseIntake } from '../../db/launch/launch-intake.ts';
import { TooManyOpenError } from '../../db/launch/open-launches.ts';
import * as launches from '../../db/launch/launches.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { publicStatusOf } from '../../domain/launch/state.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { clientOf } from '../client-address.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { followToEnd } from '../follow-to-end.ts';
import { refuseMalformedFor, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { addLogFields } from '../plugins/logging.ts';
import { responses } from '../schemas/envelope.ts';
import { submitAnswer, unknownAnswer } from './launch-answer.ts';
import { type LaunchOutcome, notChargedFields, OutcomeSchema, recoveryFields } from './launch.schema.ts';

/** Body of `POST /launches/submit`. */
export const SubmitBodySchema = Type.Object(
  {
    signedQuote: Type.String({ minLength: 1, maxLength: 32_768, description: 'From prepare' }),
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'The paymentTransaction from prepare, signed by the creator, base64',
    }),
    logo: Type.String({ minLength: 1, description: 'The data URL that was sent to prepare, byte for byte' }),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Launch'],
  operationId: 'submitLaunch',
  summary: 'Submit a signed launch payment',
  description: 'Creates the token, all or nothing. Safe to repeat: one quote becomes at most one launch.',
  body: SubmitBodySchema,
  response: responses(OutcomeSchema, { conflict: recoveryFields, service_unavailable: notChargedFields }),
};

/** A bundle needs time to land: with fewer blocks left until the payment's blockhash expires, nothing is begun. */
const MIN_BLOCKS_LEFT = 40;

/** A launch that lands takes seconds; one that does not is over after a minute and a half. */
const RETRY_WHEN_OPEN_SECONDS = 10;

/** A submission in which everything was checked but whether it is still in time. */
interface Submission {
  readonly terms: LaunchTerms;
  readonly payment: CheckedPayment;
  readonly logo: Uint8Array;
  /** Whom the limit of unpaid launches counts it for. */
  readonly client: string;
}

/** `POST /launches/submit`: verifies, commits the intake, starts the launch and waits for its outcome. */
export function launchSubmitPost(app: ApiInstance, deps: ApiDeps): void {
  const route = { schema, errorHandler: refuseMalformedFor(deps.switches, 'launching') };
  app.post('/launches/submit', route, async (request, reply) => {
    const parsed = await parseUnlessPaused(deps, request.body);
    const submission = { ...parsed, client: clientOf(request.ip) };
    const { quoteId, addresses } = submission.terms;
    const paymentSignature = submission.payment.signature;
    addLogFields(request, { quoteId, mint: addresses.mint, paymentSignature, workflowId: launchWorkflowId(quoteId) });
    const { log } = request;
    const launch = await takeIn(deps, submission, log);
    const answer =
      launch === null
        ? unknownAnswer(paymentSignature)
        : await withPool(deps, submitAnswer(await outcomeOf(deps, launch, log)), log);
    observe(request, { outcome: answer.status });
    return send(request, reply, answer);
  });
}

/** A known launch goes on while launching is paused; what is no submission at all is then refused for the pause. */
async function parseUnlessPaused(deps: ApiDeps, body: Static<typeof SubmitBodySchema>) {
  try {
    return await parseSubmission(deps, body);
  } catch (error) {
    requireSwitch(await deps.switches.read(), 'launching');
    throw error;
  }
}

/** Adds the pool of a token that is live. A database that went away meanwhile takes nothing from what is known of the launch. */
async function withPool({ db }: ApiDeps, outcome: LaunchOutcome, log: FastifyBaseLogger): Promise<LaunchOutcome> {
  if (outcome.mint === undefined) return outcome;
  try {
    const token = await tokens.byMint(db, outcome.mint);
    return token ? { ...outcome, pool: token.pool } : outcome;
  } catch (error) {
    log.error({ err: error }, 'the pool of a completed launch could not be read');
    return outcome;
  }
}

/**
 * Commits the launch, or finds it: one that is known goes on whatever the switches and the clock say, because its payment
 * may be on its way. Null where the database went away meanwhile, so that nobody knows.
 */
async function takeIn(deps: ApiDeps, submission: Submission, log: FastifyBaseLogger): Promise<LaunchRecord | null> {
  const { payment, ...rest } = submission;
  try {
    const isKnown = (await launches.byQuoteId(deps.db, submission.terms.quoteId)) !== null;
    const problem = isKnown ? undefined : await problemOf(deps, submission.terms);
    const wire = payment.transaction.serialize();
    const intake = { ...rest, signature: payment.signature, wire };
    // Another submit of this quote may be about to be taken in: only a row excludes it, so only a row says "not charged".
    if (problem !== undefined) return await refuseIntake(deps.db, intake, problem);
    const { launch, isNew } = await insertIntake(deps.db, intake, deps.config.openLaunches);
    log.info({ isNew, state: launch.state }, 'launch submitted');
    return launch;
  } catch (error) {
    if (error instanceof ContradictionError) throw takenByAnother(submission.terms, error);
    if (error instanceof TooManyOpenError) throw tooManyOpen(error);
    if (!isTransientDatabaseError(error)) throw error;
    log.error({ err: error }, 'the database went away while a launch was submitted');
    return null;
  }
}

/**
 * After a restore two quotes can share their addresses; the first one submitted has them. Whether an earlier copy of the
 * database knew this one cannot be told, so nothing is said of a charge.
 */
function takenByAnother({ quoteId }: LaunchTerms, cause: ContradictionError): AppError {
  return new AppError('service_unavailable', `quote ${quoteId} cannot be launched any more: its addresses were taken`, {
    retryable: false,
    cause,
  });
}

/**
 * Nothing of this quote was begun, but whether an earlier copy of the database knew it cannot be told, so nothing is said of
 * a charge: the same call is good later.
 */
function tooManyOpen(cause: TooManyOpenError): AppError {
  const whose = cause.whose === 'creator' ? 'this wallet' : 'this network address';
  return new AppError(
    'rate_limited',
    `${whose} has ${cause.limit} unpaid launches under way; wait until one has ended`,
    { retryAfterSeconds: RETRY_WHEN_OPEN_SECONDS, cause },
  );
}

/** From the intake on nothing but the launch's own state may be answered: the payment can land at any moment. */
function outcomeOf({ db, launching, config }: ApiDeps, launch: LaunchRecord, log: FastifyBaseLogger) {
  const { quoteId } = launch;
  return followToEnd({
    row: launch,
    isOpen: ({ state }) => publicStatusOf(state) === 'processing',
    outcome: (waitMs) => launching.starter.outcome(quoteId, waitMs),
    read: () => launches.byQuoteId(db, quoteId),
    waitMs: config.submitWaitMs,
    log,
  });
}

async function parseSubmission(
  deps: ApiDeps,
  body: Static<typeof SubmitBodySchema>,
): Promise<Omit<Submission, 'client'>> {
  const terms = await termsOf(deps, body);
  const payment = checkSignedPayment(terms.payment.message, body.signedTransaction);
  const { bytes, type } = parseDataUrl(body.logo);
  if (type !== terms.logoType || logoHash(bytes) !== terms.logoHash) {
    throw new AppError('invalid_request', 'logo is not byte-identical to the logo sent to prepare');
  }
  return { terms, payment, logo: bytes };
}

/**
 * The terms that a quote seals. A quote of a key that is gone can still be that of a launch that is known, which the payment
 * names: its creator gets the launch's answer. Throws AppError `invalid_request` for every other.
 */
async function termsOf(
  { launching, db }: ApiDeps,
  { signedQuote, signedTransaction }: Static<typeof SubmitBodySchema>,
): Promise<LaunchTerms> {
  try {
    return await launching.sealer.open(signedQuote);
  } catch (error) {
    const quoteId = quoteIdIn(signedTransaction);
    const known = quoteId === null ? null : await launches.byQuoteId(db, quoteId);
    if (known === null) throw error;
    return known.terms;
  }
}

/** Why a quote that is not known must not be begun any more; undefined where it may be. */
async function problemOf(deps: ApiDeps, terms: LaunchTerms): Promise<string | undefined> {
  requireSwitch(await deps.switches.read(), 'launching');
  const left = await blocksLeft(deps.launching.rpc, terms.payment.lastValidBlockHeight, MIN_BLOCKS_LEFT);
  const problem =
    left < MIN_BLOCKS_LEFT
      ? `the quote has ${Math.max(0, left)} blocks left, a launch needs ${MIN_BLOCKS_LEFT}`
      : await recipientsProblem(deps, terms);
  return problem === undefined || (await wasBegunBefore(deps, terms)) ? undefined : problem;
}

/** A database that was restored from before the quote has not got the recipients that it was sealed with. */
async function recipientsProblem({ db }: ApiDeps, { airdrop }: LaunchTerms): Promise<string | undefined> {
  if (!airdrop || (await recipientSets.byHash(db, airdrop.recipientsHash))) return undefined;
  return 'the recipients of the airdrop are not known any more';
}

/**
 * True when Temporal or the chain knows this launch and the database does not, because an older copy of it was restored: then
 * its payment may have landed, or still land.
 */
async function wasBegunBefore({ launching }: ApiDeps, terms: LaunchTerms): Promise<boolean> {
  return (await launching.starter.wasStarted(terms.quoteId)) || hasBegun(launching.rpc, terms);
}
