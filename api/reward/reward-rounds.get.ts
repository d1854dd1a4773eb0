import Type, { type Static } from 'typebox';
import * as rewardRecord from '../../db/reward/reward-record.ts';
import type { PublicRound } from '../../db/reward/reward-record.ts';
import { amountAnswer } from '../answers/amounts.ts';
import { toInteger, toNumber } from '../answers/numbers.ts';
import { documentUrl } from '../../domain/proof/document-url.ts';
import { createCounter, readPage } from '../answers/pages.ts';
import { countedQuote } from '../answers/quotes.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { MintParamsSchema, pageParameters } from '../schemas/parameters.ts';
import { requireTradedToken } from '../tokens/traded-token.ts';
import { type RewardRoundAnswer, RewardRoundsSchema } from './rounds.schema.ts';

const RoundsQuerySchema = Type.Object({ ...pageParameters }, { additionalProperties: false });

const schema = {
  tags: ['Data'],
  operationId: 'getRewardRounds',
  summary: 'Reward rounds of a token',
  description:
    'The public record of the rounds that divided rewards, newest first: when balances were observed and which blocks drew ' +
    'those moments, what was divided and paid, and how many wallets got nothing, by reason. A round shows once its ' +
    'observations are over. A standard launch has none.',
  params: MintParamsSchema,
  querystring: RoundsQuerySchema,
  response: responses(RewardRoundsSchema),
};

/** Hourly; a payout shows within seconds. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

type RoundsInput = Static<typeof RoundsQuerySchema> & Static<typeof MintParamsSchema>;

export function rewardRoundsGet(app: ApiInstance, { db, config }: ApiDeps): void {
  const counted = createCounter(({ mint }: { readonly mint: string }) => rewardRecord.countRounds(db, mint));
  const cache = createReadCache(LIFE, async ({ mint, page, pageSize }: RoundsInput) => {
    const token = await requireTradedToken(db, mint);
    const { rows, pagination } = await readPage(
      { page, pageSize },
      { count: () => counted({ mint }), list: (paging) => rewardRecord.rounds(db, mint, paging) },
    );
    const rounds = rows.map((round) => ({ ...roundAnswer(token, round), seal: sealAnswer(config.siteUrl, round) }));
    const data: Static<typeof RewardRoundsSchema> = { mint, quote: countedQuote(token), rounds, pagination };
    return { data };
  });
  app.get('/tokens/:mint/rewards/rounds', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

type RoundToken = Awaited<ReturnType<typeof requireTradedToken>>;

function roundAnswer(token: RoundToken, round: PublicRound): Omit<RewardRoundAnswer, 'seal'> {
  const { windowSlot, windowSlots } = round;
  const { number, id, state, openedSlot, plannedAt, endedAt, paidRaw, paidUsd, recipients, leftOut, note } = round;
  return {
    number,
    id,
    state,
    openedSlot: toInteger(openedSlot),
    openedAt: plannedAt.toISOString(),
    windowSlot: windowSlot === null ? null : toInteger(windowSlot),
    windowSlots,
    endedAt: endedAt?.toISOString() ?? null,
    observations: round.observations.map(observationAnswer),
    division: divisionAnswer(token, round),
    ...amountAnswer('paid', paidRaw, token.quoteDecimals),
    paidUsd: toNumber(paidUsd),
    recipientCount: recipients,
    leftOutCount: leftOut.reduce((sum, { owners }) => sum + owners, 0),
    leftOut: leftOut.map(({ reason, owners }) => ({ reason, ownerCount: owners })),
    note,
  };
}

/** Null until the seal is final: who knew the root before could name it on the chain first. */
function sealAnswer(siteUrl: string, { seal }: PublicRound): RewardRoundAnswer['seal'] {
  if (!seal?.landed) return null;
  const { root, rowCount, byteCount, landed } = seal;
  return {
    root,
    documentUrl: documentUrl(siteUrl, root),
    rowCount,
    byteCount: toInteger(byteCount),
    signature: landed.signature,
    slot: toInteger(landed.slot),
    sealedAt: landed.landedAt.toISOString(),
  };
}

function observationAnswer(
  observation: PublicRound['observations'][number],
): RewardRoundAnswer['observations'][number] {
  const { n, slot, blockhash, readSlot, answerSlots, quorum } = observation;
  const read = { readSlot: toInteger(readSlot), answerSlots: answerSlots.map(toInteger), quorum };
  return { n, slot: toInteger(slot), blockhash, ...read };
}

/** Null before the plan, and for a round recovered from the chain. */
function divisionAnswer(
  { decimals, quoteDecimals }: RoundToken,
  { budgetRaw, minimumRaw, leastPayoutRaw, averagePrice, quoteUsd, holders }: PublicRound,
): RewardRoundAnswer['division'] {
  if (budgetRaw === null || minimumRaw === null || leastPayoutRaw === null) return null;
  if (averagePrice === null || quoteUsd === null || holders === null) return null;
  return {
    ...amountAnswer('budget', budgetRaw, quoteDecimals),
    ...amountAnswer('minimumHolding', minimumRaw, decimals),
    ...amountAnswer('leastPayout', leastPayoutRaw, quoteDecimals),
    averagePrice: toNumber(averagePrice),
    quoteUsd: toNumber(quoteUsd),
    holderCount: holders,
  };
}
