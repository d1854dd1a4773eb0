import type { FastifyBaseLogger } from 'fastify';
import Type, { type Static } from 'typebox';
import { type CheckedPayment, checkSignedPayment, quoteIdIn } from '../../chain/launch/check-payment.ts';
import { hasBegun } from '../../chain/launch/has-begun.ts';
import { blocksLeft } from '../../chain/rpc/blocks-left.ts';
import { logoHash, parseDataUrl, storedForm } from '../../chain/storage/logo.ts';
import type { Picture } from '../../chain/storage/pictures/picture.ts';
import { ContradictionError, isTransientDatabaseError } from '../../db/errors.ts';
import { insertIntake, LateQuoteError, refuseIntake, type LateSubmission } from '../../db/launch/launch-intake.ts';
import * as lateQuotes from '../../db/launch/late-quotes.ts';
import { transactionsOf } from '../../db/launch/launch-details.ts';
import { TooManyLateError } from '../../db/launch/late-quotes.ts';
import { TooManyUnpaidError } from '../../db/launch/unpaid-launches.ts';
import * as launches from '../../db/launch/launches.ts';
import * as recipientSets from '../../db/airdrop/recipient-sets.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import * as tokens from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';
import { once } from '../../domain/once.ts';
import { BLOCKS_TO_LAND, latenessOf } from '../../domain/launch/quote-window.ts';
import { type OnChain, onChainOf } from '../../domain/launch/public-status.ts';
import { phaseOf } from '../../domain/launch/state.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { launchWorkflowId } from '../../workflows/launch/messages.ts';
import { askerOf } from '../asker.ts';
import { clientNetworkOf } from '../client-address.ts';
import { peerAddressOf } from '../peer-address.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { createFollowToEnd } from '../follow-to-end.ts';
import { refuseMalformedFor, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { isDependencyDown } from '../plugins/dependency-errors.ts';
import { addLogFields } from '../plugins/logging.ts';
import { endTurn } from '../plugins/turns.ts';
import { failureSchema, responses } from '../schemas/envelope.ts';
import { WALLETS_MAY_ADD } from '../schemas/wallet-changes.ts';
import { storedOtherwise, takenByAnother, tooManyLate, tooManyOpen } from './refused-submit.ts';
import { CAME_TOO_LATE, cameTooLate, launchAnswer, unknownAnswer } from './launch-answer.ts';
import { type LaunchOutcome, notChargedFields, OutcomeSchema, recoveryFields } from './launch.schema.ts';

export const SubmitBodySchema = Type.Object(
  {
    signedQuote: Type.String({ minLength: 1, maxLength: 32_768, description: 'From prepare' }),
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: `The paymentTransaction from prepare, signed by the creator, base64. ${WALLETS_MAY_ADD}`,
    }),
    logo: Type.String({ minLength: 1, description: 'Data URL of the picture that was sent to prepare, byte for byte' }),
  },
  { additionalProperties: false },
);

const schema = {
  tags: ['Launch'],
  operationId: 'submitLaunch',
  summary: 'Submit a signed launch payment',
  description:
    'Creates the token, all or nothing: payment, mint, pool, liquidity and dev buy are one bundle, which lands in one block or not at all, ' +
    'unless a skipped slot cuts it; then the payment lands alone, and the platform lands the rest later or gives the payment back. ' +
    'Safe to repeat: one quote becomes at most one launch.',
  body: SubmitBodySchema,
  response: {
    ...responses(OutcomeSchema, { conflict: recoveryFields, service_unavailable: notChargedFields }),
    429: failureSchema(
      'rate_limited',
      {},
      'The limit per minute is exceeded, or too many unpaid launches of this wallet, address or network are under way; nothing was begun. ' +
        'Honour Retry-After; where the quote expires before, the message says that a fresh one is needed',
    ),
  },
};

interface Submission {
  readonly terms: LaunchTerms;
  readonly payment: CheckedPayment;
  /** As sent. */
  readonly logo: Picture;
  /** For the limit of unpaid launches. */
  readonly client: string;
  readonly clientNetwork: string | null;
  /** ms; compared with the quote's deadline. */
  readonly arrivedAt: number;
}

export function launchSubmitPost(app: ApiInstance, deps: ApiDeps): void {
  const route = { schema, errorHandler: refuseMalformedFor(deps.switches, 'launching') };
  const followToEnd = followerOf(deps);
  app.post('/launches/submit', route, async (request, reply) => {
    const parsed = await parseUnlessPaused(deps, request.body);
    const { client, gone } = askerOf(request, reply);
    const clientNetwork = clientNetworkOf(peerAddressOf(request));
    const submission = { ...parsed, client, clientNetwork, arrivedAt: deps.now().getTime() - reply.elapsedTime };
    const { quoteId, addresses } = submission.terms;
    const paymentSignature = submission.payment.signature;
    addLogFields(request, { quoteId, mint: addresses.mint, paymentSignature, workflowId: launchWorkflowId(quoteId) });
    const { log } = request;
    const launch = await takeIn(deps, submission, log);
    endTurn(request);
    const answer =
      launch === null
        ? unknownAnswer(paymentSignature)
        : await answerTo(deps, await followToEnd({ id: quoteId, row: launch, gone, log }), log);
    observe(request, { outcome: answer.status });
    return send(request, reply, answer);
  });
}

/** A known launch goes on while launching is paused; malformed submissions are refused for the pause. */
async function parseUnlessPaused(deps: ApiDeps, body: Static<typeof SubmitBodySchema>) {
  try {
    return await parseSubmission(deps, body);
  } catch (error) {
    requireSwitch(await deps.switches.read(), 'launching');
    throw error;
  }
}

async function answerTo(deps: ApiDeps, launch: LaunchRecord, log: FastifyBaseLogger): Promise<LaunchOutcome> {
  return withPool(deps, launchAnswer(launch, await landedPart(deps, launch, log)), log);
}

/** Reads what landed; if the database fails now, nothing is known to have landed. */
async function landedPart({ db }: ApiDeps, { quoteId }: LaunchRecord, log: FastifyBaseLogger): Promise<OnChain> {
  try {
    return onChainOf(quoteId, await transactionsOf(db, [quoteId]));
  } catch (error) {
    log.error({ err: error, quoteId }, 'the transactions of a launch could not be read');
    return 'unknown';
  }
}

/** Adds the pool; if the database fails now, returns the known outcome. */
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
 * A known launch goes on regardless of switches and clock: its payment may be in flight. Null when its state is
 * unknown: the database failed, or endpoints cannot tell if an earlier database copy began it.
 */
async function takeIn(deps: ApiDeps, submission: Submission, log: FastifyBaseLogger): Promise<LaunchRecord | null> {
  const { payment, terms, client, clientNetwork } = submission;
  const wire = payment.transaction.serialize();
  const intake = { terms, client, clientNetwork, signature: payment.signature, wire };
  try {
    const isKnown = (await launches.byQuoteId(deps.db, terms.quoteId)) !== null;
    const form = once(() => storedForm(submission.logo, terms.storedLogoHash ?? terms.logoHash, { client }));
    const problem = isKnown ? undefined : await problemOf(deps, submission, form);
    if (problem !== undefined) return await refuse(deps, intake, problem);
    const logo = isKnown ? null : await form();
    if (!isKnown && logo === null) throw storedOtherwise(terms);
    const { launch, isNew } = await insertIntake(deps.db, { ...intake, logo }, deps.config.unpaidLaunches);
    log.info({ isNew, state: launch.state }, 'launch submitted');
    return launch;
  } catch (error) {
    if (error instanceof ContradictionError) throw takenByAnother(terms, error);
    if (error instanceof TooManyUnpaidError) throw tooManyOpen(error, leftSeconds(deps, terms));
    if (error instanceof TooManyLateError) throw tooManyLate(error);
    if (error instanceof LateQuoteError) throw cameTooLate(CAME_TOO_LATE, payment.signature);
    if (!(error instanceof UnprovenError) && !isTransientDatabaseError(error)) throw error;
    log.error({ err: error }, 'it is not known what became of a launch that was submitted');
    return null;
  }
}

/**
 * Another submit may be committing: only a row excludes it, so "not charged" needs one. Returns the launch if another
 * submit created it.
 */
async function refuse({ db, config }: ApiDeps, intake: LateSubmission, problem: string): Promise<LaunchRecord> {
  const launch = await refuseIntake(db, intake, config.lateSubmits);
  if (launch === null) throw cameTooLate(problem, intake.signature);
  return launch;
}

/** Seconds until the quote expires. */
function leftSeconds({ now }: ApiDeps, { expiresAt }: LaunchTerms): number {
  return (Date.parse(expiresAt) - now().getTime()) / 1_000;
}

function followerOf({ db, launching, config }: ApiDeps) {
  return createFollowToEnd<LaunchRecord>({
    isOpen: ({ state }) => phaseOf(state) === 'underWay',
    outcome: (quoteId, waitMs) => launching.starter.outcome(quoteId, waitMs),
    read: (quoteId) => launches.byQuoteId(db, quoteId),
    waitMs: config.submitWaitMs,
  });
}

async function parseSubmission(
  deps: ApiDeps,
  body: Static<typeof SubmitBodySchema>,
): Promise<Omit<Submission, 'client' | 'clientNetwork' | 'arrivedAt'>> {
  const terms = await termsOf(deps, body);
  const payment = checkSignedPayment(terms.payment.message, body.signedTransaction);
  const logo = parseDataUrl(body.logo);
  if (logo.type !== terms.logoType || logoHash(logo.bytes) !== terms.logoHash) {
    throw new AppError('invalid_request', 'logo is not byte-identical to the logo sent to prepare');
  }
  return { terms, payment, logo };
}

/**
 * A quote with a retired key may belong to a known launch, named by its payment; its creator gets that launch's
 * response.
 *
 * @throws AppError `invalid_request` for every other
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

/** Returns why the launch may not begin; undefined if it may. Decodes the logo last: an expired quote costs no decoder. */
async function problemOf(
  deps: ApiDeps,
  { terms, arrivedAt }: Submission,
  form: () => Promise<Buffer | null>,
): Promise<string | undefined> {
  if (await lateQuotes.byQuoteId(deps.db, terms.quoteId)) return CAME_TOO_LATE;
  const switches = await deps.switches.read();
  const isPaused = switches.launching === 'off';
  const left = await blocksLeft(deps.launching.rpc, terms.payment.lastValidBlockHeight, BLOCKS_TO_LAND);
  const problem =
    latenessOf(arrivedAt, terms.expiresAt, left) ?? (await recipientsProblem(deps, terms)) ?? logoProblem(await form());
  if (!isPaused && problem === undefined) return undefined;
  // A launch that the chain knows goes on, also while an operator repairs a restored database.
  if (await wasBegunBefore(deps, terms)) return undefined;
  requireSwitch(switches, 'launching');
  return problem;
}

/** A database restored from before the quote lacks its recipients. */
async function recipientsProblem({ db }: ApiDeps, { airdrop }: LaunchTerms): Promise<string | undefined> {
  if (!airdrop || (await recipientSets.byHash(db, airdrop.recipientsHash))) return undefined;
  return 'the recipients of the airdrop are not known any more';
}

/** Returns a problem if another version sealed another stored form. */
function logoProblem(logo: Buffer | null): string | undefined {
  return logo === null ? 'the logo cannot be stored in the form that the quote was made for' : undefined;
}

/**
 * True if Temporal or the chain knows this launch although the restored database does not: its payment may land.
 *
 * @throws UnprovenError when neither can tell
 */
async function wasBegunBefore({ launching, now }: ApiDeps, terms: LaunchTerms): Promise<boolean> {
  try {
    return (await launching.starter.wasStarted(terms.quoteId)) || (await hasBegun(launching.rpc, terms, now()));
  } catch (cause) {
    if (!isDependencyDown(cause)) throw cause;
    throw new UnprovenError(`it cannot be said whether launch ${terms.quoteId} was begun before`, { cause });
  }
}

/** Nothing is proven, so no statement about a charge is made. */
class UnprovenError extends Error {}
