import Type, { type Static } from 'typebox';
import { listClaims, type WalletClaim } from '../../db/claim/wallet-claims.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, moment, nullable, record, signature, text } from '../answers/fields.ts';
import { toInteger } from '../answers/numbers.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter } from '../schemas/parameters.ts';
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
  },
  'A claim that paid the wallet',
  'WalletClaim',
);

const WalletClaimsSchema = record({
  wallet: address('The wallet'),
  claims: Type.Array(ClaimSchema, { description: 'The newest first' }),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'listWalletClaims',
  summary: 'Claims of a wallet',
  description: 'Fee claims that paid this wallet, newest first: confirmed or final ones, with their transactions.',
  params: WalletParamsSchema,
  querystring: ClaimsQuerySchema,
  response: responses(WalletClaimsSchema),
};

const LIFE: ReadLife = { memorySeconds: 1, seconds: 2, staleSeconds: 5, entries: 500 };

type ClaimsInput = Static<typeof ClaimsQuerySchema> & Static<typeof WalletParamsSchema>;

export function walletClaimsGet(app: ApiInstance, { db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ wallet, limit, cursor }: ClaimsInput) => {
    const after = cursor === undefined ? null : fromClaimCursor(wallet, cursor);
    const listed = await listClaims(db, wallet, after, limit + 1);
    const { rows, pagination } = pageOf(listed, limit, ({ intentId }) => toClaimCursor(wallet, intentId));
    const data: Static<typeof WalletClaimsSchema> = { wallet, claims: rows.map(claimAnswer), pagination };
    return { data };
  });
  app.get('/wallets/:wallet/claims', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, wallet: requireWallet(request.params.wallet) }),
  );
}

function claimAnswer(claim: WalletClaim): Static<typeof ClaimSchema> {
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
  };
}
