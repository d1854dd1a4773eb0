import Type, { type Static } from 'typebox';
import { frozenStock } from '../../db/inventory/frozen-stock.ts';
import * as pairs from '../../db/pairs.ts';
import type { PairRecord } from '../../db/pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import type { PriceObservation } from '../../db/prices/prices.ts';
import { categoryLabel } from '../../domain/pair-categories.ts';
import { address, count, optionalFigure, record, text } from '../answers/fields.ts';
import { toNumberOrNull } from '../answers/numbers.ts';
import { present } from '../answers/present.ts';
import { platformLogoUrl } from '../assets/logo.get.ts';
import type { ApiDeps } from '../deps.ts';
import { sendCached } from '../envelope.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { categoryParameter } from '../schemas/parameters.ts';
import { ambiguousSymbols } from './ambiguous-symbols.ts';
import { freshPrice } from './fresh-price.ts';
import { type ChainLimit, createChainLimits } from './chain-limits.ts';
import { createOpenings, type Opens } from './openings.ts';

export const PairsQuerySchema = Type.Object(
  {
    ...categoryParameter,
    launchable: Type.Optional(
      Type.Boolean({ description: '`true` leaves out retired pairs and pairs of retired categories' }),
    ),
  },
  { additionalProperties: false },
);

export const PairSchema = record({
  mint: address('Pass it to launch prepare as `quoteMint`'),
  symbol: text('Symbol; several pairs can have one'),
  name: text('Name'),
  decimals: count('Decimals'),
  logoUrl: text('Logo; the platform’s where none is known'),
  category: text('Category'),
  categoryLabel: text('The same for people'),
  tokenProgram: address('Program that owns the mint: SPL Token or Token-2022'),
  launchable: Type.Boolean({ description: 'Whether a new launch may pair with it' }),
  devBuysEnabled: Type.Boolean({
    description: 'Whether a new launch with it can have a dev buy, as far as stock and a steady price allow',
  }),
  symbolAmbiguous: Type.Boolean({ description: 'Whether another pair has this symbol, in any case' }),
  priceUsd: optionalFigure('USD for one token; left out while there is no fresh price'),
});

export const PairsSchema = record({
  pairs: Type.Array(PairSchema),
  selectBy: Type.Literal('mint', { description: 'The field that names a pair: symbols are not unique' }),
  ambiguousSymbolCount: count('Symbols that more than one pair has'),
});

const schema = {
  tags: ['Data'],
  operationId: 'listPairs',
  summary: 'Launchable pairs',
  description: 'Quote tokens a new launch can pair with. Pass `mint` as `quoteMint` to launch prepare.',
  querystring: PairsQuerySchema,
  response: responses(PairsSchema),
};

/** Lists pairs by symbol; few enough for one response. */
export function pairsGet(app: ApiInstance, deps: ApiDeps): void {
  const { db, now, config, switches } = deps;
  const opens = createOpenings(deps);
  const readLimits = createChainLimits(deps);
  app.get('/pairs', { schema }, async (request, reply) => {
    const { category, launchable = false } = request.query;
    const all = await pairs.list(db);
    const listed = all.filter((pair) => category === undefined || pair.category === category);
    const observed = await prices.latestOf(
      db,
      listed.map(({ mint }) => mint),
    );
    const limits = await readLimits(all);
    const judged = await Promise.all(
      listed.map(async (pair) =>
        judge(opens, pair, { observed: observed.get(pair.mint), limit: limits.get(pair.mint) }),
      ),
    );
    const wanted = judged.filter((pair) => pair.launchable || !launchable);
    const ambiguous = ambiguousSymbols(all);
    const [frozen, { devBuys }] = await Promise.all([frozenStock(db), switches.read()]);
    const data: Static<typeof PairsSchema> = {
      pairs: wanted.map((pair) => ({
        ...pairAnswer(pair, platformLogoUrl(config.siteUrl)),
        ...present({ priceUsd: toNumberOrNull(freshPrice(pair, observed.get(pair.mint), now())) }),
        devBuysEnabled: pair.devBuys && devBuys === 'on' && !frozen.has(pair.mint),
        symbolAmbiguous: ambiguous.has(pair.symbol.toLowerCase()),
      })),
      selectBy: 'mint',
      ambiguousSymbolCount: ambiguous.size,
    };
    return sendCached(request, reply, { seconds: 10, staleSeconds: 20 }, data);
  });
}

interface Known {
  readonly observed: PriceObservation | undefined;
  readonly limit: ChainLimit | undefined;
}

type JudgedPair = PairRecord & { readonly devBuys: boolean };

/** Takes from a pair what prepare would refuse: its mint may have changed, and at its last price no pool may open. */
async function judge(opens: Opens, pair: PairRecord, { observed, limit }: Known): Promise<JudgedPair> {
  const isOpen = pair.launchable && (limit?.launches ?? true);
  const launchable = isOpen && (observed === undefined || (await opens(pair, observed.usd)));
  return { ...pair, launchable, devBuys: launchable && (limit?.devBuys ?? true) };
}

function pairAnswer(pair: PairRecord, ownLogoUrl: string) {
  const { mint, symbol, name, decimals, logoUrl, category, tokenProgram, launchable } = pair;
  const about = { mint, symbol, name, decimals, logoUrl: logoUrl ?? ownLogoUrl };
  return { ...about, category, categoryLabel: categoryLabel(category), tokenProgram, launchable };
}
