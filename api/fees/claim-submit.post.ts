import type { FastifyBaseLogger } from 'fastify';
import Type, { type Static } from 'typebox';
import { checkSignedClaim } from '../../chain/claims/check-claim.ts';
import { type ClaimIntent, createClaimRepository } from '../../db/claims.ts';
import type { ClaimState } from '../../domain/claim-state.ts';
import { AppError } from '../../domain/errors.ts';
import { claimWorkflowId } from '../../workflows/messages/claim.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { type ClaimAnswer, claimAnswer, conflict, repeatAnswer } from './claim-answer.ts';
import { type ClaimStarter, createClaimStarter } from './claim-starter.ts';
import { requireCreatorPosition } from './creator-position.ts';
import { FeesParamsSchema } from './fees.get.ts';

/** Body of `POST /tokens/{mint}/fees/claim/submit`. */
export const ClaimSubmitBodySchema = Type.Object(
  {
    creatorWallet: AddressSchema,
    intentId: Type.String({
      pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      description: 'From claim prepare',
    }),
    signedTransaction: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'The transaction from claim prepare, signed by the wallet and otherwise unaltered, base64',
    }),
  },
  { additionalProperties: false },
);

type SubmitBody = Static<typeof ClaimSubmitBodySchema>;

const schema = {
  tags: ['Fees'],
  summary: 'Submit a signed fee claim',
  description:
    'Relays the claim, waits for confirmation and returns its signature. Safe to repeat: one intent is relayed at most once.',
  params: FeesParamsSchema,
  body: ClaimSubmitBodySchema,
  response: responses('forbidden', 'conflict'),
};

/** States in which a claim was submitted before and its outcome is known or under way. */
const IN_HAND: readonly ClaimState[] = ['relaying', 'killing', 'relayed', 'finalized', 'not_landed'];

/** `POST /tokens/{mint}/fees/claim/submit`: checks, takes the signature in, and waits for what becomes of it. */
export function claimSubmitPost(app: ApiInstance, deps: ApiDeps): void {
  const starter = createClaimStarter(deps.client);
  app.post('/tokens/:mint/fees/claim/submit', { schema }, async (request, reply) => {
    const { mint } = request.params;
    const intent = await findIntent(deps, mint, request.body);
    const { intentId, wallet } = intent;
    const log = request.log.child({ intentId, mint, wallet, workflowId: claimWorkflowId(intentId) });
    // What was relayed is told whatever the switches and the clock say.
    if (IN_HAND.includes(intent.state)) return send(request, reply, repeatAnswer(intent));
    const signature = await assertRelayable(deps, intent, request.body);
    return send(request, reply, await relay(deps, starter, { intent, signature, log }));
  });
}

async function findIntent({ db }: ApiDeps, mint: string, body: SubmitBody): Promise<ClaimIntent> {
  const intent = await createClaimRepository(db).byId(body.intentId);
  if (intent?.mint !== mint) throw new AppError('not_found', `${mint} has no claim intent ${body.intentId}`);
  if (intent.wallet === body.creatorWallet) return intent;
  throw new AppError('invalid_request', `creatorWallet is not the wallet that claim ${body.intentId} was prepared for`);
}

/** Refuses what must not be relayed, before anything is written. Answers the wallet's signature, base58. */
async function assertRelayable(deps: ApiDeps, intent: ClaimIntent, body: SubmitBody): Promise<string> {
  requireSwitch(await deps.switches.read(), 'claiming');
  const signature = checkSignedClaim(intent.message, body.signedTransaction);
  if (intent.state !== 'issued') return signature;
  if (intent.expiresAt <= deps.now()) throw conflict('the prepared claim has expired; prepare again');
  await assertHoldsFeeKey(deps, intent);
  return signature;
}

async function assertHoldsFeeKey({ db, launching }: ApiDeps, intent: ClaimIntent): Promise<void> {
  const { pool, feeKeyMint } = (await requireCreatorPosition(db, intent.mint)).position;
  const locked = await launching.exchange.readLockedPosition(pool, feeKeyMint);
  if (locked?.holder?.toBase58() !== intent.wallet) {
    throw new AppError('forbidden', `${intent.wallet} does not hold the Fee Key of this launch`);
  }
  if (!intent.holdsFeeKey) {
    throw conflict('the wallet did not hold the Fee Key when this claim was prepared; prepare again');
  }
}

interface Relay {
  readonly intent: ClaimIntent;
  readonly signature: string;
  readonly log: FastifyBaseLogger;
}

async function relay(deps: ApiDeps, starter: ClaimStarter, { intent, signature, log }: Relay): Promise<ClaimAnswer> {
  const claims = createClaimRepository(deps.db);
  const { isNew, intent: taken } = await claims.submit(intent.intentId, signature);
  log.info({ isNew, state: taken.state, signature: taken.signature }, 'claim submitted');
  if (taken.state !== 'submitted') return isNew ? claimAnswer(taken, false) : repeatAnswer(taken);
  // From here on nothing but the claim's own state may be answered: it can land at any moment.
  try {
    await starter.outcome(intent.intentId, deps.config.submitWaitMs);
  } catch (error) {
    log.warn({ err: error }, 'no outcome from the workflow yet; answering from the database');
  }
  const latest = await claims.byId(intent.intentId).catch(() => null);
  return claimAnswer(latest ?? taken, !isNew);
}
