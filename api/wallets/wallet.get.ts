import Type, { type Static } from 'typebox';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import type { Db } from '../../db/connect.ts';
import { listPositions, type WalletPosition } from '../../db/claim/wallet-positions.ts';
import * as publicLedger from '../../db/launch/public-ledger.ts';
import { address, count, moment, nullable, record, text } from '../answers/fields.ts';
import { CursorPaginationSchema, pageOf } from '../answers/pages.ts';
import { createBoundedCache } from '../cache/bounded-cache.ts';
import { createReadCache } from '../cache/read-cache.ts';
import { claimableAnswer } from '../claim/claimable-answer.ts';
import { feesLife } from '../claim/fees.get.ts';
import { ClaimableSchema } from '../claim/fees.schema.ts';
import type { EndpointDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitUpTo } from '../schemas/parameters.ts';
import { fromPositionCursor, toPositionCursor } from './list-cursor.ts';
import { positionAddresses } from './position-addresses.ts';
import { requireWallet, WalletParamsSchema } from './wallet-params.ts';

const MOST_POSITIONS = 20;

const WalletQuerySchema = Type.Object(
  {
    ...limitUpTo(MOST_POSITIONS, MOST_POSITIONS, 'Positions'),
    ...cursorParameter,
  },
  { additionalProperties: false },
);

const PositionSchema = record(
  {
    mint: address('Mint of the launched token'),
    name: text('Its name'),
    symbol: text('Its symbol'),
    pool: address('Pool'),
    creator: address('Wallet that launched it'),
    createdAt: moment('When it was launched'),
    feeKey: record(
      {
        mint: address('Mint of the Fee Key'),
        holder: nullable(address('Who holds it: who may claim; null without a holder, and with `claimable: null`')),
        isHeld: Type.Boolean({
          description: 'Whether this wallet holds it, as the chain has it now; false with `claimable: null`: not known',
        }),
      },
      'Its Fee Key',
      'HeldFeeKey',
    ),
    claimable: {
      ...nullable(ClaimableSchema),
      description: 'Null while the chain does not answer for this position: ask again',
    },
  },
  'A position whose Fee Key the wallet got or used',
  'WalletPosition',
);

const WalletSchema = record({
  wallet: address('The wallet'),
  launchCount: count('Launches of this wallet in the ledger; `GET /launches?creator=` lists them'),
  positions: Type.Array(PositionSchema, {
    description:
      'Standard launches of this wallet or that gave it the Fee Key, and those whose Fee Key it held when it prepared a claim; newest launch first',
  }),
  pagination: CursorPaginationSchema,
});

const schema = {
  tags: ['Data'],
  operationId: 'getWallet',
  summary: 'A wallet: launches, Fee Keys, claimable fees',
  description:
    'How many tokens the wallet launched, and what can be claimed from each position it created, got the Fee Key of at launch or has claimed from. A Fee Key ' +
    'that it received later is listed once it prepared a claim with it. Claimable amounts are read from the chain: each position ' +
    'of the page counts as one request against the rate limit.',
  params: WalletParamsSchema,
  querystring: WalletQuerySchema,
  response: responses(WalletSchema),
};

/** Positions read from the chain at once. */
const AT_ONCE = 4;

/** Listed pages, kept for a second. */
const LISTED = { seconds: 1, entries: 1_000, sizeOf: ({ rows }: ListedPositions) => rows.length * 1_000 };

type ListedPositions = Awaited<ReturnType<typeof list>>;

type WalletInput = Static<typeof WalletQuerySchema> & Static<typeof WalletParamsSchema>;

export function walletGet(app: ApiInstance, deps: EndpointDeps): void {
  const { db, config } = deps;
  const listed = createBoundedCache(LISTED, (input: WalletInput) => list(db, input));
  const cache = createReadCache(feesLife(config), async (input: WalletInput) => {
    const { launchCount, rows, pagination } = await listed(input);
    const { wallet } = input;
    const positions = await inParallel(AT_ONCE, rows, (row) => positionAnswer(deps, wallet, row));
    const data: Static<typeof WalletSchema> = { wallet, launchCount, positions, pagination };
    return { data };
  });
  app.get('/wallets/:wallet', { schema }, async (request, reply) => {
    const input = { ...request.query, wallet: requireWallet(request.params.wallet) };
    const { rows } = await listed(input);
    // The request counted as the first one. Reading one costs the chain's endpoints as much as `GET /tokens/{mint}/fees`.
    if (rows.length > 1) await app.countRequest(request, reply, 'api', rows.length - 1);
    return cache.send(request, reply, input);
  });
}

async function list(db: Db, { wallet, limit, cursor }: WalletInput) {
  const before = cursor === undefined ? null : fromPositionCursor(wallet, cursor);
  const [launchCount, found] = await Promise.all([
    publicLedger.count(db, { creator: wallet }),
    listPositions(db, wallet, before, limit + 1),
  ]);
  const page = pageOf(found, limit, ({ listingNumber }) => toPositionCursor(wallet, listingNumber));
  return { launchCount, ...page };
}

async function positionAnswer(
  deps: EndpointDeps,
  wallet: string,
  row: WalletPosition,
): Promise<Static<typeof PositionSchema>> {
  const { mint, name, symbol, pool, creator, createdAt, feeKeyMint } = row;
  const read = await readClaimable(deps, row);
  const holder = read?.holder ?? null;
  return {
    mint,
    name,
    symbol,
    pool,
    creator,
    createdAt: createdAt.toISOString(),
    feeKey: { mint: feeKeyMint, holder, isHeld: holder === wallet },
    claimable: read?.claimable ?? null,
  };
}

/** Null for a position that cannot be read: the others must be shown. */
async function readClaimable({ fees: readFees, launching, logger }: EndpointDeps, row: WalletPosition) {
  try {
    const fees = await readFees(positionAddresses(row));
    return { holder: fees.holder?.toBase58() ?? null, claimable: await claimableAnswer(launching.prices, row, fees) };
  } catch (error) {
    logger.warn({ err: error, mint: row.mint }, 'position not read');
    return null;
  }
}
