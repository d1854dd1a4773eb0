import { PublicKey } from '@solana/web3.js';
import { createCache } from 'async-cache-dedupe';
import Type, { type Static } from 'typebox';
import type { Holder } from '../../chain/tokens/holders.ts';
import { withOwner } from '../../chain/tokens/known-accounts.ts';
import * as heldAccounts from '../../db/held-accounts.ts';
import type { TradedToken } from '../../db/market/trades.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, nullable, record } from '../answers/fields.ts';
import { toPercent } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema, MOST_ENTRIES } from '../schemas/parameters.ts';
import { HOLDER_LABELS, labelOf } from './holder-labels.ts';
import { requireTradedToken } from './traded-token.ts';
import { TOKEN_PROGRAM_OF } from '../../chain/tokens/token-program.ts';
import { IS_TAXED } from '../../domain/fee-models.ts';

const HoldersQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const HolderSchema = record({
  rank: count('From 1'),
  owner: address('Owner'),
  ...amountFields('amount', 'Tokens'),
  percent: figure('Share of the supply that was launched, percent'),
  label: nullable(Type.Enum([...HOLDER_LABELS], { description: 'Kind of address, if it is no ordinary wallet' })),
});

export const HoldersSchema = record({
  mint: address('Mint'),
  slot: count('Slot of the answer of the chain'),
  total: count('Owners of some'),
  holders: Type.Array(HolderSchema),
});

const schema = {
  tags: ['Data'],
  operationId: 'listHolders',
  summary: 'Greatest holders of a token',
  description:
    'Up to 100 owners with the greatest balances, read from the chain, with a `label` for those that are no ordinary wallet: ' +
    '`pool`, `creator`, `escrow` (wallet of a launch), `platform`, `burn`, `program`.',
  params: MintParamsSchema,
  querystring: HoldersQuerySchema,
  response: responses(HoldersSchema),
};

/** 15 s with the readings. */
const LIFE: ReadLife = { memorySeconds: 5, seconds: 15, staleSeconds: 10, entries: 500 };

/** Most read all token accounts of a mint, which is expensive for a node. */
const READING_SECONDS = 10;

/** The least recently used is evicted. */
const READINGS = 500;

interface Reading {
  readonly token: TradedToken;
  readonly slot: number;
  readonly total: number;
  readonly greatest: readonly Holder[];
}

type HoldersInput = Static<typeof HoldersQuerySchema> & Static<typeof MintParamsSchema>;

export function holdersGet(app: ApiInstance, deps: ApiDeps): void {
  const { treasuryAddress } = deps.config;
  // By mint: different limits cause one read.
  const readings = createCache({
    ttl: READING_SECONDS,
    storage: { type: 'memory', options: { size: READINGS } },
  }).define('greatest', (mint: string) => readGreatest(deps, mint));
  const cache = createReadCache(LIFE, async ({ mint, limit }: HoldersInput) => {
    const { token, slot, total, greatest } = await readings.greatest(mint);
    const holders = greatest
      .slice(0, limit)
      .map((holder, index) => toHolderAnswer(token, holder, index + 1, treasuryAddress));
    const data: Static<typeof HoldersSchema> = { mint, slot, total, holders };
    return { data };
  });
  app.get('/tokens/:mint/holders', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
}

async function readGreatest({ db, launching }: ApiDeps, mint: string): Promise<Reading> {
  const token = await requireTradedToken(db, mint);
  const tokenProgram = TOKEN_PROGRAM_OF[token.mode];
  const held = { mint: new PublicKey(mint), tokenProgram };
  const known = IS_TAXED[token.mode] ? await heldAccounts.known(db, mint) : null;
  const accounts = known && withOwner(held, known, token.creator);
  const wanted = { ...held, ...(accounts && { accounts }) };
  const { holders: greatest, total, slot } = await launching.rpc.holders(wanted, MOST_ENTRIES);
  return { token, slot, total, greatest };
}

function toHolderAnswer(
  token: TradedToken,
  { owner, raw }: Holder,
  rank: number,
  treasury: string | undefined,
): Static<typeof HolderSchema> {
  return {
    rank,
    owner: owner.toBase58(),
    ...amountAnswer('amount', raw, token.decimals),
    percent: toPercent(raw, TOTAL_SUPPLY_RAW),
    label: labelOf(owner, { ...token, treasury }),
  };
}
