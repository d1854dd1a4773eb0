import Type from 'typebox';
import { isEmpty, readPositionFees } from '../../chain/exchange/position-fees.ts';
import { CLAIM_LIFETIME_SECONDS } from '../../domain/claim/lifetime.ts';
import { AppError } from '../../domain/errors.ts';
import { claimWorkflowId } from '../../workflows/claim/messages.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { addLogFields } from '../plugins/logging.ts';
import { responses } from '../schemas/envelope.ts';
import { AddressSchema } from '../schemas/parameters.ts';
import { createClaimStarter, withoutTurn } from './claim-starter.ts';
import { ClaimPreparedSchema } from './fees.schema.ts';
import { requireCreatorPosition } from './creator-position.ts';
import { FeesParamsSchema } from './fees.get.ts';
import { issueClaim } from './issue-claim.ts';
import { preparedAnswer } from './prepared-answer.ts';
import { signingWallet } from './signing-wallet.ts';

export const ClaimPrepareBodySchema = Type.Object({ creatorWallet: AddressSchema }, { additionalProperties: false });

const schema = {
  tags: ['Fees'],
  operationId: 'prepareClaim',
  summary: 'Prepare a fee claim',
  description:
    `Returns an unsigned claim transaction, valid ${CLAIM_LIFETIME_SECONDS} seconds, and the amounts it will collect. \`creatorWallet\` is the wallet ` +
    'that holds the Fee Key; it pays the network fee and must sign.',
  params: FeesParamsSchema,
  body: ClaimPrepareBodySchema,
  response: responses(ClaimPreparedSchema, { forbidden: {}, conflict: {} }),
};

/** The platform has not signed the transaction. */
export function claimPreparePost(app: ApiInstance, deps: ApiDeps): void {
  const { db, launching, switches, config, client } = deps;
  const claimStarter = createClaimStarter(client);
  const path = '/tokens/:mint/fees/claim/prepare';
  const route = {
    schema,
    config: { rateGroup: 'claimPrepare' },
    onRequest: async () => requireSwitch(await switches.read(), 'claiming'),
  } as const;
  app.post(path, route, async (request, reply) => {
    const wallet = signingWallet(request.body.creatorWallet, 'creatorWallet');
    const { token, position } = await requireCreatorPosition(db, request.params.mint);
    const fees = await readPositionFees(launching, position);
    if (isEmpty(fees.claimable)) throw new AppError('conflict', 'nothing is claimable yet', { retryable: true });
    const starter = withoutTurn(claimStarter, request);
    const issuing = { db, launching, config, starter, nonceWaitMs: config.submitWaitMs };
    const issued = await issueClaim(issuing, { wallet, fees });
    const { intentId, wallet: claimant } = issued.intent;
    addLogFields(request, { intentId, workflowId: claimWorkflowId(intentId) });
    request.log.info({ wallet: claimant }, 'claim prepared');
    return send(request, reply, await preparedAnswer(launching.prices, token, fees, issued));
  });
}
