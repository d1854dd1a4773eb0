import type { PublicKey } from '@solana/web3.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { isEmpty, readPositionFees } from '../../chain/exchange/position-fees.ts';
import { countPositions, listPositions, type WalletPosition } from '../../db/claim/wallet-positions.ts';
import { CLAIM_LIFETIME_SECONDS } from '../../domain/claim/lifetime.ts';
import { address, count, nullable, record, text } from '../answers/fields.ts';
import { pageOf } from '../answers/pages.ts';
import { type ClaimStarter, createClaimStarter, withoutTurn } from '../claim/claim-starter.ts';
import { type ClaimPrepared, ClaimPreparedSchema } from '../claim/fees.schema.ts';
import { issueClaim } from '../claim/issue-claim.ts';
import { preparedAnswer } from '../claim/prepared-answer.ts';
import { signingWallet } from '../claim/signing-wallet.ts';
import type { ApiDeps } from '../deps.ts';
import { send } from '../envelope.ts';
import { requireSwitch } from '../gates.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitUpTo } from '../schemas/parameters.ts';
import { fromPositionCursor, toPositionCursor } from './list-cursor.ts';
import { positionAddresses } from './position-addresses.ts';
import { prepareRows } from './prepare-rows.ts';
import { requireWallet, WalletParamsSchema } from './wallet-params.ts';

const MOST_AT_ONCE = 10;

const ClaimManyBodySchema = Type.Object(
  {
    ...limitUpTo(MOST_AT_ONCE, MOST_AT_ONCE, 'Positions'),
    cursor: Type.Optional({
      ...cursorParameter.cursor,
      description: '`data.nextCursor` of the answer before this one',
    }),
  },
  { additionalProperties: false },
);

const ClaimManySchema = record({
  wallet: address('The wallet'),
  claims: Type.Array(ClaimPreparedSchema, {
    description: 'A claim of each position with something to claim: a transaction and an intent of its own each',
  }),
  deferred: Type.Array(
    record(
      { mint: address('Mint'), reason: text('Why not now, for people') },
      'A position whose claim could not be prepared',
      'DeferredClaim',
    ),
    {
      description: 'Positions whose claim could not be prepared now; prepare them again',
    },
  ),
  remaining: count('Positions that come after these'),
  nextCursor: nullable(text('Where they begin; null where none comes after')),
});

const schema = {
  tags: ['Fees'],
  operationId: 'prepareClaims',
  summary: 'Prepare the claims of a wallet',
  description:
    'Prepares a claim for each position of `GET /wallets/{wallet}` whose Fee Key the wallet holds and that has something to ' +
    `claim, up to \`limit\` positions at once; go on with \`nextCursor\`. Each claim is valid ${CLAIM_LIFETIME_SECONDS} seconds and is submitted to ` +
    '`/tokens/{mint}/fees/claim/submit`. Each position looked at counts as one prepare against the rate limit.',
  params: WalletParamsSchema,
  body: ClaimManyBodySchema,
  response: responses(ClaimManySchema),
};

/** As with a single claim, the platform has signed nothing, and of several claims of a mint at most one lands. */
export function claimManyPost(app: ApiInstance, deps: ApiDeps): void {
  const { db, switches, config } = deps;
  const claimStarter = createClaimStarter(deps.client);
  const route = {
    schema,
    config: { rateGroup: 'claimPrepare' },
    onRequest: async () => requireSwitch(await switches.read(), 'claiming'),
  } as const;
  app.post('/wallets/:wallet/fees/claim/prepare', route, async (request, reply) => {
    const wallet = signingWallet(requireWallet(request.params.wallet), 'wallet');
    const { limit, cursor } = request.body;
    const end = performance.now() + config.submitWaitMs;
    const leftMs = () => end - performance.now();
    const owner = wallet.toBase58();
    const before = cursor === undefined ? null : fromPositionCursor(owner, cursor);
    const listed = await listPositions(db, owner, before, limit + 1);
    const { rows, pagination } = pageOf(listed, limit, ({ listingNumber }) => toPositionCursor(owner, listingNumber));
    const last = rows.at(-1);
    const remaining = pagination.hasMore && last ? await countPositions(db, owner, last.listingNumber) : 0;
    const counted = counterOf(app, request, reply);
    const starter = withoutTurn(claimStarter, request);
    const prepared = await prepareRows(rows, {
      leftMs,
      log: request.log,
      prepare: (row) => prepare(deps, { starter, wallet, counted, leftMs }, row),
    });
    const data: Static<typeof ClaimManySchema> = {
      wallet: owner,
      ...prepared,
      remaining,
      nextCursor: pagination.nextCursor,
    };
    request.log.info({ wallet: data.wallet, count: data.claims.length }, 'claims prepared');
    return send(request, reply, data);
  });
}

/** Counts each position after the first, which the request itself counted as. @throws AppError `rate_limited` */
function counterOf(app: ApiInstance, request: FastifyRequest, reply: FastifyReply): () => Promise<void> {
  let isFirst = true;
  return async () => {
    if (isFirst) isFirst = false;
    else await app.countRequest(request, reply, 'claimPrepare');
  };
}

interface Preparing {
  readonly starter: ClaimStarter;
  readonly wallet: PublicKey;
  readonly counted: () => Promise<void>;
  readonly leftMs: () => number;
}

/** Null without something that this wallet can claim. */
async function prepare(deps: ApiDeps, preparing: Preparing, row: WalletPosition): Promise<ClaimPrepared | null> {
  const { db, launching, config } = deps;
  const { starter, wallet, counted, leftMs } = preparing;
  // Before the chain is read: reading costs more than issuing.
  await counted();
  const fees = await readPositionFees(launching, positionAddresses(row));
  if (isEmpty(fees.claimable) || fees.holder?.equals(wallet) !== true) return null;
  const issued = await issueClaim({ db, launching, config, starter, nonceWaitMs: leftMs() }, { wallet, fees });
  return preparedAnswer(launching.prices, row, fees, issued);
}
