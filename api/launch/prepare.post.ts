import { formatUnits } from '../../domain/amounts.ts';
import { type FeeMode, feeModelOf } from '../../domain/fee-models.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import type { DevBuyTerms, LaunchTerms } from '../../domain/launch/terms.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireRewardAccess, requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { airdropTermsAnswer } from './airdrop-answer.ts';
import { wantsAirdrop } from './plan-airdrop.ts';
import { wantsDevBuy } from './plan-dev-buy.ts';
import { planLaunch } from './plan-launch.ts';
import { PrepareBodySchema } from './prepare-body.ts';

const schema = {
  tags: ['Launch'],
  summary: 'Prepare a launch',
  description: 'Validates the token and returns a signed quote and the unsigned SOL payment for the creator to sign.',
  body: PrepareBodySchema,
  response: responses('forbidden'),
};

/** `POST /launches/prepare`: a sealed quote and an unsigned payment; nothing is promised or reserved by it. */
export function launchPreparePost(app: ApiInstance, deps: ApiDeps): void {
  app.post('/launches/prepare', { schema, config: { rateGroup: 'launchPrepare' } }, async (request, reply) => {
    const switches = await deps.switches.read();
    requireSwitch(switches, 'launching');
    if (request.body.mode === 'reward') requireRewardAccess(switches, request, deps.config.adminPassword);
    if (wantsDevBuy(request.body)) requireSwitch(switches, 'devBuys');
    if (wantsAirdrop(request.body)) requireSwitch(switches, 'airdrops');
    const { terms, paymentTransaction } = await planLaunch(deps, request.body);
    request.log.info({ quoteId: terms.quoteId, mint: terms.addresses.mint }, 'launch prepared');
    const signedQuote = await deps.launching.sealer.seal(terms);
    return send(request, reply, { signedQuote, paymentTransaction, ...answerOf(terms) });
  });
}

function answerOf(terms: LaunchTerms) {
  const { payment, opening, fee } = terms;
  return {
    quoteId: terms.quoteId,
    mint: terms.addresses.mint,
    payment: {
      lamports: Number(payment.lamports),
      items: payment.items.map(({ item, lamports }) => ({ item, lamports: Number(lamports) })),
    },
    mode: fee.mode,
    ...(fee.mode === 'reward' && { transferFee: { bps: fee.rewardTaxBps } }),
    ...(terms.devBuy && { devBuy: devBuyAnswer(terms.devBuy, fee) }),
    ...(terms.airdrop && { airdrop: airdropTermsAnswer(terms.airdrop) }),
    poolFeePercent: feeModelOf(fee).poolFeePercent,
    openingMarketCapUsd: opening.marketCapUsd,
    quotePriceUsd: opening.quotePriceUsd,
    metadataUri: terms.metadataUri,
    expiresAt: terms.expiresAt,
    lastValidBlockHeight: payment.lastValidBlockHeight,
  };
}

/** Target tokens, exact lamports and, on reward launches, what reaches the creator after the tax. */
function devBuyAnswer({ tokensRaw, netTokensRaw, lamports }: DevBuyTerms, fee: FeeMode) {
  const tokens = (raw: string) => formatUnits(BigInt(raw), TOKEN_DECIMALS);
  return {
    tokens: tokens(tokensRaw),
    tokensRaw,
    lamports: Number(lamports),
    ...(fee.mode === 'reward' && { netTokens: tokens(netTokensRaw), netTokensRaw }),
  };
}
