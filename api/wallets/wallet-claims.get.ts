import Type, { type Static } from 'typebox';
import { BigNumber } from 'bignumber.js';
import { listClaims, type WalletClaim } from '../../db/claim/wallet-claims.ts';
import { pricesOfPairs } from '../../db/prices/prices-at.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, moment, nullable, record, signature, text } from '../answers/fields.ts';
import { toInteger, toNumber } from '../answers/numbers.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { alsoCsv } from '../openapi/document.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter } from '../schemas/parameters.ts';
import { createCsvPages } from './csv-pages.ts';
import { fromClaimCursor, toClaimCursor } from './list-cursor.ts';
import { requireWallet, WalletParamsSchema } from './wallet-params.ts';

const ClaimsQuerySchema = Type.Object({ ...limitParameter, ...cursorParameter }, { additionalProperties: false });

const ClaimSchema = record(
  {
    intentId: text('The claim'),
    mint: address('Mint of the launched token'),
    symbol: text('Its symbol'),
    quoteMint: address('Mint of the paired token'),
    quoteSymbol: text('Its symbol'),
    ...amountFields('base', 'Fees in the token when the claim was prepared; later ones were collected too'),
    ...amountFields('quote', 'Fees in quote tokens then'),
    signature: signature('Its transaction'),
    slot: nullable(count('Slot; null while a fork is being resolved')),
    finalized: Type.Boolean({ description: 'Whether no fork can take it back' }),
    preparedAt: moment('When it was prepared first'),
    paidAt: nullable(moment('When the platform saw it on the chain')),
    valueUsd: nullable(
      figure(
        'Both amounts in USD by the prices when it was paid; null where the price of one that is not 0 is unknown',
      ),
    ),
  },
  'A claim that paid the wallet',
  'WalletClaim',
);

type ClaimAnswer = Static<typeof ClaimSchema>;

/** Columns of the CSV, in order. */
const CLAIM_COLUMNS = Object.keys(ClaimSchema.properties) as readonly (keyof ClaimAnswer)[];

const WalletClaimsSchema = record({
  wallet: address('The wallet'),
  claims: Type.Array(ClaimSchema, { description: 'The newest first' }),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listWalletClaims',
  summary: 'Claims of a wallet',
  description:
    'Fee claims that paid this wallet, newest first: confirmed or final ones, with their transactions. With `Accept: text/csv` ' +
    'the claims of the page as CSV, whose `Link` header leads to the next page.',
  params: WalletParamsSchema,
  querystring: ClaimsQuerySchema,
  response: responses(WalletClaimsSchema),
  ...alsoCsv(`The claims of the page, one a line, after a line of the columns: ${CLAIM_COLUMNS.join(', ')}`),
};

const LIFE = { memorySeconds: 1, seconds: 2, staleSeconds: 5, entries: 500 } satisfies ReadLife;

type ClaimsInput = Static<typeof ClaimsQuerySchema> & Static<typeof WalletParamsSchema>;

export function walletClaimsGet(app: ApiInstance, { db }: ApiDeps): void {
  const pageFor = async ({ wallet, limit, cursor }: ClaimsInput) => {
    const after = cursor === undefined ? null : fromClaimCursor(wallet, cursor);
    const listed = await listClaims(db, wallet, after, limit + 1);
    const { rows, pagination } = pageOf(listed, limit, ({ intentId }) => toClaimCursor(wallet, intentId));
    const prices = await pricesOfPairs(
      db,
      rows.map(({ quoteMint, paidAt, issuedAt }) => ({ mint: quoteMint, at: paidAt ?? issuedAt })),
    );
    return { claims: rows.map((claim, index) => claimAnswer(claim, prices[index] ?? null)), pagination };
  };
  const cache = createReadCache(LIFE, async (input: ClaimsInput) => {
    const data: Static<typeof WalletClaimsSchema> = { wallet: input.wallet, ...(await pageFor(input)) };
    return { data };
  });
  const csv = createCsvPages(CLAIM_COLUMNS, LIFE, async (input: ClaimsInput) => {
    const { claims: rows, pagination } = await pageFor(input);
    return { rows, nextCursor: pagination.nextCursor };
  });
  app.get('/wallets/:wallet/claims', { schema }, async (request, reply) => {
    const input = { ...request.query, wallet: requireWallet(request.params.wallet) };
    return csv(request, reply, input) ?? cache.send(request, reply, input);
  });
}

function claimAnswer(claim: WalletClaim, quoteUsd: string | null): ClaimAnswer {
  const { intentId, mint, symbol, quoteMint, quoteSymbol, slot } = claim;
  return {
    intentId,
    mint,
    symbol,
    quoteMint,
    quoteSymbol,
    ...amountAnswer('base', claim.baseRaw, claim.decimals),
    ...amountAnswer('quote', claim.quoteRaw, claim.quoteDecimals),
    signature: claim.signature,
    slot: slot === null ? null : toInteger(slot),
    finalized: claim.state === 'finalized',
    preparedAt: claim.issuedAt.toISOString(),
    paidAt: claim.paidAt?.toISOString() ?? null,
    valueUsd: valueOf(claim, quoteUsd),
  };
}

function valueOf({ baseRaw, decimals, quoteRaw, quoteDecimals, priceQuote }: WalletClaim, quoteUsd: string | null) {
  if (quoteUsd === null || (priceQuote === null && baseRaw > 0n)) return null;
  const ofQuote = worthUsd(quoteRaw, quoteDecimals, quoteUsd);
  const ofBase = priceQuote === null ? '0' : worthUsd(baseRaw, decimals, priceInUsd(priceQuote, quoteUsd));
  return toNumber(new BigNumber(ofQuote).plus(ofBase).toFixed());
}
