import type { FastifyRequest } from 'fastify';
import { lookAlikesOf } from '../../db/look-alikes.ts';
import { type FeeMode, feeModelOf, rewardTaxOf } from '../../domain/fee-models.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { toInteger, toNumber, toSol } from '../answers/numbers.ts';
import { askerOf } from '../asker.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { addLogFields } from '../plugins/logging.ts';
import { responses } from '../schemas/envelope.ts';
import { similarToAnswer } from '../answers/similar-to.ts';
import { airdropTermsAnswer } from './airdrop-answer.ts';
import { devBuyAnswer } from './dev-buy-answer.ts';
import { planLaunch } from './plan-launch.ts';
import { PrepareBodySchema } from './prepare-body.ts';
import { type PreparedAnswer, PreparedSchema } from './prepare.schema.ts';
import { refuseSwitchedOff } from './switched-off.ts';

const schema = {
  tags: ['Launch'],
  operationId: 'prepareLaunch',
  summary: 'Prepare a launch',
  description: 'Validates the token and returns a signed quote and the unsigned SOL payment for the creator to sign.',
  body: PrepareBodySchema,
  response: responses(PreparedSchema, { forbidden: {} }),
};

/** Prepares a launch; promises and reserves nothing. Disabled features are refused before validation. */
export function launchPreparePost(app: ApiInstance, deps: ApiDeps): void {
  const { switches, config, launching } = deps;
  const route = {
    schema,
    config: { rateGroup: 'launchPrepare' },
    onRequest: async () => requireSwitch(await switches.read(), 'launching'),
    preValidation: async (request: FastifyRequest) =>
      refuseSwitchedOff(await switches.read(), request, config.adminPassword),
  } as const;
  app.post('/launches/prepare', route, async (request, reply) => {
    const { terms, paymentTransaction } = await planLaunch(deps, request.body, askerOf(request, reply));
    addLogFields(request, { quoteId: terms.quoteId, mint: terms.addresses.mint });
    request.log.info('launch prepared');
    const signedQuote = await launching.sealer.seal(terms);
    const similarTo = await similarToOf(deps, terms);
    return send(request, reply, preparedAnswer(terms, { signedQuote, paymentTransaction, ...similarTo }));
  });
}

/** Told before anything is signed. */
async function similarToOf({ db }: ApiDeps, { name, symbol }: LaunchTerms): Promise<Pick<PreparedAnswer, 'similarTo'>> {
  const [lookAlike] = await lookAlikesOf(db, [{ mint: null, createdAt: null, name, symbol }]);
  return lookAlike ? { similarTo: similarToAnswer(lookAlike) } : {};
}

function preparedAnswer(
  terms: LaunchTerms,
  sealed: Pick<PreparedAnswer, 'signedQuote' | 'paymentTransaction' | 'similarTo'>,
): PreparedAnswer {
  const { payment, opening, fee } = terms;
  return {
    ...sealed,
    quoteId: terms.quoteId,
    mint: terms.addresses.mint,
    payment: paymentAnswer(terms),
    mode: fee.mode,
    ...(terms.feeRecipient !== undefined && { feeRecipient: terms.feeRecipient }),
    poolFeePercent: feeModelOf(fee).poolFeePercent,
    transferFee: transferFeeOf(fee),
    devBuy: terms.devBuy && devBuyAnswer(terms.devBuy, fee),
    airdrop: terms.airdrop && airdropTermsAnswer(terms.airdrop),
    openingMarketCapUsd: toNumber(opening.marketCapUsd),
    quotePriceUsd: toNumber(opening.quotePriceUsd),
    metadataUri: terms.metadataUri,
    expiresAt: terms.expiresAt,
    lastValidBlockHeight: payment.lastValidBlockHeight,
  };
}

function transferFeeOf(fee: FeeMode): PreparedAnswer['transferFee'] {
  const bps = rewardTaxOf(fee);
  return bps === null ? null : { bps };
}

function paymentAnswer({ payment, addresses }: LaunchTerms): PreparedAnswer['payment'] {
  const fee = payment.items.find(({ item }) => item === 'launch')?.lamports ?? '0';
  return {
    lamports: toInteger(payment.lamports),
    sol: toSol(BigInt(payment.lamports)),
    to: addresses.launchWallet,
    feeLamports: toInteger(fee),
    feeSol: toSol(BigInt(fee)),
    items: payment.items.map(({ item, lamports }) => ({ item, lamports: toInteger(lamports) })),
  };
}
