import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import Type, { type Static } from 'typebox';
import { type Holder, readHolders } from '../../chain/tokens/holders.ts';
import type { TradedToken } from '../../db/market/trades.ts';
import { TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import { amountAnswer, amountFields } from '../answers/amounts.ts';
import { address, count, figure, nullable, record } from '../answers/fields.ts';
import { toPercent } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { limitParameter, MintParamsSchema } from '../schemas/parameters.ts';
import { HOLDER_LABELS, labelOf } from './holder-labels.ts';
import { requireTradedToken } from './traded-token.ts';

const HoldersQuerySchema = Type.Object(limitParameter, { additionalProperties: false });

const HolderSchema = record({
  rank: count('From 1'),
  owner: address('Owner'),
  ...amountFields('amount', 'Tokens'),
  percent: figure('Share of the supply that was launched, percent'),
  label: nullable(Type.Enum([...HOLDER_LABELS], { description: 'What it is where it is no ordinary wallet' })),
});

/** `data` of `GET /tokens/{mint}/holders`. */
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

/** Every load reads all token accounts of the mint from an RPC node. */
const LIFE: ReadLife = { memorySeconds: 15, seconds: 15, staleSeconds: 60, entries: 500 };

type HoldersInput = Static<typeof HoldersQuerySchema> & Static<typeof MintParamsSchema>;

/** `GET /tokens/{mint}/holders`: who holds most of a token. */
export function holdersGet(app: ApiInstance, { db, launching, config }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ mint, limit }: HoldersInput) => {
    const token = await requireTradedToken(db, mint);
    const tokenProgram = token.mode === 'reward' ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID;
    const list = await readHolders(launching.rpc.connection, { mint: new PublicKey(mint), tokenProgram });
    const holders = list.holders
      .slice(0, limit)
      .map((holder, index) => toHolderAnswer(token, holder, index + 1, config.treasuryAddress));
    const data: Static<typeof HoldersSchema> = { mint, slot: list.slot, total: list.holders.length, holders };
    return { data };
  });
  app.get('/tokens/:mint/holders', { schema }, async (request, reply) =>
    cache.send(request, reply, { ...request.query, ...request.params }),
  );
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
