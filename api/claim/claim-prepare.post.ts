import { PublicKey } from '@solana/web3.js';
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
import { createClaimStarter } from './claim-starter.ts';
import { claimableAnswer } from './claimable-answer.ts';
import { type ClaimPrepared, ClaimPreparedSchema } from './fees.schema.ts';
import { requireCreatorPosition } from './creator-position.ts';
import { FeesParamsSchema } from './fees.get.ts';
import { issueClaim } from './issue-claim.ts';

/** Body of `POST /tokens/{mint}/fees/claim/prepare`. */
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

/** `POST /tokens/{mint}/fees/claim/prepare`: a transaction for the wallet to sign; the platform has not signed it. */
export function claimPreparePost(app: ApiInstance, deps: ApiDeps): void {
  const { db, launching, switches, config, client } = deps;
  const starter = createClaimStarter(client);
  const path = '/tokens/:mint/fees/claim/prepare';
  const route = {
    schema,
    config: { rateGroup: 'claimPrepare' },
    onRequest: async () => requireSwitch(await switches.read(), 'claiming'),
  } as const;
  app.post(path, route, async (request, reply) => {
    const wallet = parseWallet(request.body.creatorWallet);
    const { token, position } = await requireCreatorPosition(db, request.params.mint);
    const fees = await readPositionFees(launching, position);
    if (isEmpty(fees.claimable)) throw new AppError('conflict', 'nothing is claimable yet', { retryable: true });
    const { intent, transaction } = await issueClaim({ db, launching, config, starter }, { wallet, fees });
    const { intentId, expiresAt, mint } = intent;
    addLogFields(request, { intentId, workflowId: claimWorkflowId(intentId) });
    request.log.info({ wallet: intent.wallet }, 'claim prepared');
    const prepared: ClaimPrepared = {
      intentId,
      transaction,
      mint,
      creatorWallet: intent.wallet,
      expiresAt: expiresAt.toISOString(),
      amounts: await claimableAnswer(launching.prices, token, fees),
    };
    return send(request, reply, prepared);
  });
}

/** A wallet that can sign. Throws AppError `invalid_request` for anything else. */
function parseWallet(address: string): PublicKey {
  const bytes = addressBytes(address);
  if (PublicKey.isOnCurve(bytes)) return new PublicKey(bytes);
  throw new AppError('invalid_request', `creatorWallet ${address} is a program address and cannot sign a claim`);
}

function addressBytes(address: string): Uint8Array {
  try {
    return new PublicKey(address).toBytes();
  } catch (cause) {
    throw new AppError('invalid_request', `creatorWallet ${address} is not an address of 32 bytes`, { cause });
  }
}
