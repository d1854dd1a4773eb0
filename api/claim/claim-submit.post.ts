import Type, { type Static } from 'typebox';
import { type CheckedClaim, checkSignedClaim } from '../../chain/claim/check-claim.ts';
import { unseen } from '../../chain/rpc/json-rpc.ts';
import * as claims from '../../db/claim/claims.ts';
import type { ClaimIntent, ClaimSubmission } from '../../db/claim/claims.ts';
import type { ClaimState } from '../../domain/claim/state.ts';
import { AppError } from '../../domain/errors.ts';
import { claimWorkflowId } from '../../workflows/claim/messages.ts';
import { askerOf } from '../asker.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { createFollowToEnd, type Follower } from '../follow-to-end.ts';
import { refuseMalformedFor, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { observe } from '../metrics/observed.ts';
import { addLogFields } from '../plugins/logging.ts';
import { endTurn } from '../plugins/turns.ts';
import { responses } from '../schemas/envelope.ts';
import { WALLETS_MAY_ADD } from '../schemas/wallet-changes.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { claimAnswer, conflict, repeatAnswer } from './claim-answer.ts';
import { type ClaimAnswer, ClaimOutcomeSchema } from './fees.schema.ts';
import { createClaimStarter } from './claim-starter.ts';
import { requireCreatorPosition } from './creator-position.ts';
import { FeesParamsSchema } from './fees.get.ts';
import { inState } from '../../domain/in-state.ts';

export const ClaimSubmitBodySchema = Type.Object(
  {
    creatorWallet: AddressSchema,
    intentId: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      description: 'From claim prepare',
      'x-must': 'the intentId from claim prepare, a UUID in lower case',
    }),
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: `The transaction from claim prepare, signed by the wallet, base64. ${WALLETS_MAY_ADD}`,
    }),
  },
  { additionalProperties: false },
);

type SubmitBody = Static<typeof ClaimSubmitBodySchema>;

const schema = {
  tags: ['Fees'],
  operationId: 'submitClaim',
  summary: 'Submit a signed fee claim',
  description:
    'Relays the claim, waits for confirmation and returns its signature. Safe to repeat: one intent is relayed at most once.',
  params: FeesParamsSchema,
  body: ClaimSubmitBodySchema,
  response: responses(ClaimOutcomeSchema, { forbidden: {}, conflict: {} }),
};

/** May be on the chain; reported regardless of switches and clocks. */
const IN_HAND: readonly ClaimState[] = ['relaying', 'killing', 'relayed', 'finalized', 'not_landed'];

/** Accepted, without a verdict. */
const UNTOLD: readonly ClaimState[] = ['submitted', 'relaying', 'killing'];

export function claimSubmitPost(app: ApiInstance, deps: ApiDeps): void {
  const followToEnd = followerOf(deps);
  const route = { schema, errorHandler: refuseMalformedFor(deps.switches, 'claiming') };
  app.post('/tokens/:mint/fees/claim/submit', route, async (request, reply) => {
    const { mint } = request.params;
    const intent = await findIntent(deps, mint, request.body);
    const { intentId, wallet } = intent;
    addLogFields(request, { intentId, workflowId: claimWorkflowId(intentId) });
    const log = request.log.child({ wallet });
    const answerOf = () => {
      if (IN_HAND.includes(intent.state)) return repeatAnswer(intent);
      const claim = checkSignedClaim(intent.message, request.body.signedTransaction);
      const relay: Submission['relay'] = async ({ isNew, intent: taken }) => {
        endTurn(request);
        const latest = await followToEnd({ id: intentId, row: taken, gone: askerOf(request, reply).gone, log });
        return isNew ? claimAnswer(latest, false) : repeatAnswer(latest);
      };
      return submit(deps, { intent, claim, log, relay });
    };
    const answer = await answerOf();
    observe(request, { outcome: verdictOf(answer) });
    return send(request, reply, answer);
  });
}

function verdictOf({ landed }: ClaimAnswer): string {
  if (landed === undefined) return 'processing';
  return landed ? 'landed' : 'not_landed';
}

async function findIntent(deps: ApiDeps, mint: string, body: SubmitBody): Promise<ClaimIntent> {
  const intent = await claims.byId(deps.db, body.intentId);
  const isTakenIn = intent !== null && (intent.state === 'submitted' || IN_HAND.includes(intent.state));
  if (!isTakenIn) requireSwitch(await deps.switches.read(), 'claiming');
  if (intent?.mint !== mint) {
    await requireCreatorPosition(deps.db, mint);
    throw new AppError('not_found', `${mint} has no claim intent ${body.intentId}`);
  }
  if (intent.wallet === body.creatorWallet) return intent;
  throw new AppError('invalid_request', `creatorWallet is not the wallet that claim ${body.intentId} was prepared for`);
}

interface Submission {
  readonly intent: ClaimIntent;
  readonly claim: CheckedClaim;
  readonly log: Follower<ClaimIntent>['log'];
  /** Waits for the verdict of a claim that was taken in. */
  readonly relay: (submitted: ClaimSubmission) => Promise<ClaimAnswer>;
}

async function submit(deps: ApiDeps, submission: Submission): Promise<ClaimAnswer> {
  const { intent, claim, log, relay } = submission;
  // By the database's clock, which also decides between submit and timer.
  const current = await claims.expireIfDue(deps.db, intent.intentId);
  if (current?.state === 'issued') await assertHoldsFeeKey(deps, current);
  const { isNew, intent: taken } = await claims.submit(deps.db, intent.intentId, claim.signature, claim.message);
  log.info({ isNew, state: taken.state, signature: taken.signature }, 'claim submitted');
  if (inState(taken, 'submitted')) return relay({ isNew, intent: taken });
  const before = inState(taken, 'expired', 'refused') ? await landedBefore(deps, submission) : null;
  return before ?? repeatAnswer(taken);
}

/**
 * Finds a claim on the chain although the restored database never relayed it; null if proven absent. Only issued bytes,
 * signed by the platform too, can be there.
 *
 * @throws UnknownError when neither can be proven
 */
async function landedBefore(
  { launching }: ApiDeps,
  { intent, claim: { signature }, log }: Submission,
): Promise<ClaimAnswer | null> {
  const { slot: asOfSlot } = await launching.rpc.agreedHead('confirmed');
  const landed = await launching.rpc.landedSince(signature, { sinceSlot: Number(intent.issuedSlot), asOfSlot });
  if (landed?.err !== null) return null;
  log.warn({ signature, state: intent.state }, 'a claim is on the chain that the database does not know of');
  return { intentId: intent.intentId, signature, alreadySubmitted: true, landed: true };
}

async function assertHoldsFeeKey({ db, launching }: ApiDeps, intent: ClaimIntent): Promise<void> {
  const { pool, feeKeyMint } = (await requireCreatorPosition(db, intent.mint)).position;
  const locked = await launching.exchange.readLockedPosition(pool, feeKeyMint);
  if (!locked) throw unseen(`Fee Key ${feeKeyMint.toBase58()}`);
  if (locked.holder?.toBase58() !== intent.wallet) {
    throw new AppError('forbidden', `${intent.wallet} does not hold the Fee Key of this launch`);
  }
  if (!intent.holdsFeeKey) {
    throw conflict('the wallet did not hold the Fee Key when this claim was prepared; prepare again');
  }
}

function followerOf({ db, client, config }: ApiDeps) {
  const starter = createClaimStarter(client);
  return createFollowToEnd<ClaimIntent>({
    isOpen: ({ state }) => UNTOLD.includes(state),
    outcome: (intentId, waitMs) => starter.outcome(intentId, waitMs),
    read: (intentId) => claims.byId(db, intentId),
    waitMs: config.submitWaitMs,
  });
}
