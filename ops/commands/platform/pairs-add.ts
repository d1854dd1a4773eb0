import { type Connection, PublicKey } from '@solana/web3.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import Type from 'typebox';
import { openingProblem } from '../../../chain/exchange/opening-problem.ts';
import { quoteTokenOf } from '../../../chain/launch/pool-request.ts';
import { createConfiguredPrices } from '../../../chain/prices/configured-prices.ts';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { checkQuoteMint, type QuoteMint } from '../../../chain/tokens/quote-mint.ts';
import { readVariables } from '../../../config/environment.ts';
import { priceVariables, pricesConfig } from '../../../config/prices.ts';
import type { Db } from '../../../db/connect.ts';
import * as pairs from '../../../db/pairs.ts';
import type { PairListing } from '../../../db/pairs.ts';
import type { PriceSource } from '../../../db/schema/pairs.ts';
import { createPriceLookups } from '../../../db/prices/price-lookups.ts';
import { errorTextWithCauses } from '../../../domain/error-text.ts';
import { AppError } from '../../../domain/errors.ts';
import { rpcUrls } from '../../service-addresses.ts';
import { withDatabase } from '../../database.ts';
import { OpsError, type OpsIo } from '../../io.ts';
import { actorOption, type DecisionOptions, decisionOf, jsonOption, noteOption, parsePositive } from '../../options.ts';
import { print } from '../../output.ts';
import { IS_SET_BY_HAND, type PriceKind } from '../../../domain/trading/spendable-price.ts';

interface AddOptions extends DecisionOptions {
  readonly symbol: string;
  readonly name?: string;
  readonly category: string;
  readonly logoUrl?: string;
  readonly priceSource: PriceSource;
  readonly priceId?: string;
  readonly priceMaxAge: number;
  readonly priceMaxConfidence: number;
}

const HELP = `
A pair whose price nothing answers is listed and not launchable; repeat the command when its source answers.`;

/** Decimals and program are read from the chain. */
export function pairsAddCommand(pairs: Command, io: OpsIo): void {
  pairs
    .command('add')
    .description('list a quote token, or change and reopen one; its mint is checked on the chain')
    .argument('<mint>', 'mint of the quote token', parseAddress)
    .requiredOption('--symbol <text>', 'symbol shown to people')
    .option('--name <text>', 'name shown to people (default: the symbol)')
    .requiredOption('--category <name>', 'category; made when it is new')
    .option('--logo-url <url>', 'absolute https URL of its logo', parseHttpsUrl)
    .addOption(
      new Option('--price-source <name>', 'where its USD price comes from')
        .choices(['fixed', 'pyth', 'jupiter'])
        .makeOptionMandatory(),
    )
    .option('--price-id <id>', 'feed id at Pyth, 64 hexadecimal digits; needed with --price-source pyth', parseFeedId)
    .option('--price-max-age <seconds>', 'an older price is no price', parsePositive, 60)
    .option('--price-max-confidence <bps>', 'a price with a wider confidence interval is no price', parseBps, 100)
    .addOption(actorOption())
    .addOption(noteOption())
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((mint: PublicKey, options: AddOptions) => add(io, mint, options));
}

async function add(io: OpsIo, mint: PublicKey, options: AddOptions): Promise<void> {
  const priceSourceId = priceIdOf(mint.toBase58(), options);
  const { connection } = createRpc({ endpoints: rpcUrls(io) });
  const account = await connection.getAccountInfo(mint);
  const listing = { ...toListing(mint.toBase58(), checkQuoteMint(mint, account), options), priceSourceId };
  await withDatabase(io, async (db) => {
    const usd = await presentUsd(io, db, listing);
    if (usd !== null) await assertOpens(io, connection, listing, usd);
    const launchable = usd !== null || (await hadPrice(db, listing));
    await pairs.add(db, listing, decisionOf(io, options), launchable ? 'active' : 'retired');
    const text = `${listing.symbol} (${listing.mint}) is listed in ${listing.category}`;
    print(
      io,
      options,
      { pair: listing, usd, launchable },
      usd === null ? `${text}; ${UNPRICED[`${launchable}`]}` : text,
    );
  });
}

const UNPRICED = {
  true: 'it has no price now: `ops doctor` plans its opening once it has one',
  false: 'it is not launchable, because nothing answers its price: repeat this command once something does',
} as const;

/** True for a price that is set by hand later, and for an open pair whose price is only away. */
async function hadPrice(db: Db, { mint, priceSource, priceSourceId }: PairListing): Promise<boolean> {
  if (IS_SET_BY_HAND[priceSource]) return true;
  const present = await pairs.byMint(db, mint);
  const isSame = present?.priceSource === priceSource && present.priceSourceId === priceSourceId;
  return isSame && present.status === 'active';
}

/** Null without a price. */
async function presentUsd(io: OpsIo, db: Db, listing: PairListing): Promise<string | null> {
  const prices = pricesConfig(readVariables(Type.Object(priceVariables), io.env));
  const rpc = createRpc({ endpoints: rpcUrls(io) });
  const source = createConfiguredPrices(prices, {
    fixedUsdOf: createPriceLookups(db).fixedUsdOf,
    pairOf: () => Promise.resolve(listing),
    agreedTokens: (mints) => rpc.agreedTokens(mints),
    finalMoment: () => rpc.finalMoment(),
    currentSlot: async () => (await rpc.head('processed')).slot,
    now: () => new Date(),
    logger: { warn: ({ err }) => io.progress?.(errorTextWithCauses(err)) },
  });
  try {
    return (await source.spotUsd(listing.mint)).usd;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** @throws OpsError if no pool could open at its price, or no full dev buy could be made */
async function assertOpens(io: OpsIo, connection: Connection, pair: PairListing, quotePriceUsd: string): Promise<void> {
  const exchange = io.exchange(PublicKey.default.toBase58()).open(connection, await connection.getGenesisHash());
  const problem = await openingProblem(exchange, { quote: quoteTokenOf({ quoteToken: pair }), quotePriceUsd });
  if (problem === undefined) return;
  throw new OpsError(`${pair.symbol} (${pair.mint}) cannot be launched with at ${quotePriceUsd} USD: ${problem}`);
}

/** The others know a token by its mint. */
const HAS_PRICE_ID: Readonly<Record<PriceKind, boolean>> = { fixed: false, pyth: true, jupiter: false };

function priceIdOf(mint: string, { priceSource, priceId }: AddOptions): string {
  if (HAS_PRICE_ID[priceSource]) {
    if (priceId === undefined) throw new OpsError('a pair priced by pyth needs --price-id, the id of its feed');
    return priceId;
  }
  if (priceId !== undefined)
    throw new OpsError(`a pair priced by ${priceSource} has no --price-id; its mint is the name`);
  return mint;
}

function toListing(
  mint: string,
  { decimals, tokenProgram }: QuoteMint,
  options: AddOptions,
): Omit<PairListing, 'priceSourceId'> {
  return {
    mint,
    symbol: options.symbol,
    name: options.name ?? options.symbol,
    decimals,
    tokenProgram: tokenProgram.toBase58(),
    category: options.category,
    logoUrl: options.logoUrl ?? null,
    priceSource: options.priceSource,
    priceMaxAgeMs: options.priceMaxAge * 1000,
    priceMaxConfidenceBps: options.priceMaxConfidence,
  };
}

function parseAddress(text: string): PublicKey {
  try {
    return new PublicKey(text);
  } catch {
    throw new InvalidArgumentError('it is not a Solana address.');
  }
}

function parseFeedId(text: string): string {
  const id = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]{64}$/.test(id)) return id;
  throw new InvalidArgumentError('it is not 64 hexadecimal digits.');
}

function parseHttpsUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new InvalidArgumentError('it is not an https URL.');
}

function parseBps(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 10_000) return Number(text);
  throw new InvalidArgumentError('it is not a number of basis points from 0 to 10000.');
}
