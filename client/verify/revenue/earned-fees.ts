import { RAYDIUM_LOCK_PROGRAM } from '../../solana/programs.ts';
import type { Chain } from '../chain.ts';
import { Difference, NotProvable, type Outcome } from '../check.ts';
import { groupBy } from '../group-by.ts';
import type { Landed } from '../landed.ts';
import { readMint } from '../mint-account.ts';
import type { ProvenRow } from '../statement/chain-rows.ts';
import { movedBy } from '../statement/movement-rows.ts';
import { earnedFees, poolOfPosition } from './pool-growth.ts';

/** Indexes of accounts in the instruction `collect_clmm_fees_and_rewards` of the lock program. */
const PLACE = { position: 6, pool: 7, lower: 11, upper: 12 } as const;

export interface ProvenHarvests {
  readonly quoteMint: string;
  readonly rows: readonly ProvenRow[];
}

interface Place {
  readonly position: string;
  readonly pool: string;
  readonly lower: string;
  readonly upper: string;
}

/**
 * Requires that the harvests of each coin are what its position ever earned, less what it can still collect. Each
 * harvest rounds down by less than one unit.
 */
export async function checkGrowth(chain: Chain, harvests: readonly ProvenHarvests[]): Promise<Outcome<null>> {
  let coins = 0;
  for (const { quoteMint, rows } of harvests) {
    const [mint] = await chain.accounts([quoteMint]);
    const isTaxed = mint ? (readMint(mint)?.transferFee ?? null) !== null : false;
    for (const [coin, own] of groupBy(rows, ({ row }) => row.mint)) {
      if (isTaxed) throw new NotProvable(`harvests of ${coin} are net of the transfer tax of ${quoteMint}`);
      await checkCoin(chain, { coin, quoteMint, rows: own });
      coins += 1;
    }
  }
  return { how: `the harvests of ${coins} coins are all that their positions ever earned and paid`, value: null };
}

interface Harvested {
  readonly coin: string;
  readonly quoteMint: string;
  readonly rows: readonly ProvenRow[];
}

async function checkCoin(chain: Chain, { coin, quoteMint, rows }: Harvested): Promise<void> {
  const harvested = rows.reduce((sum, { row }) => sum + movedBy(row).quote, 0n);
  const paid = await paidOut(chain, coin, quoteMint, placeOf(rows, coin));
  // Less: harvests are missing. More: that was never earned.
  if (harvested <= paid && harvested > paid - BigInt(rows.length) - 1n) return;
  const expected = {
    value: String(paid),
    from: `growth of the pool of ${coin}: ever earned, less what can be collected`,
  };
  const found = { value: String(harvested), from: `its ${rows.length} harvests` };
  throw new Difference('the harvests are not what the position paid', expected, found);
}

async function paidOut(chain: Chain, coin: string, quoteMint: string, place: Place): Promise<bigint> {
  const { pool, position, lower, upper } = place;
  const [poolNow, positionNow, lowerNow, upperNow] = await chain.accounts([pool, position, lower, upper]);
  const isWhole = poolNow && positionNow && lowerNow && upperNow;
  const fees = isWhole ? earnedFees(poolNow, positionNow, [lowerNow, upperNow]) : null;
  if (!fees || !positionNow) throw new NotProvable(`the pool of ${coin} is of no exchange that this version reads`);
  const [first, second] = fees.mints;
  const token = first === quoteMint ? 0 : 1;
  const isOfCoin = [first, second].toSorted().join() === [coin, quoteMint].toSorted().join();
  if (!isOfCoin || poolOfPosition(positionNow) !== pool) {
    const expected = { value: `a position in the pool of ${coin} and ${quoteMint}`, from: 'the statement' };
    throw new Difference('a harvest is of another pool', expected, { value: `${first} and ${second}`, from: pool });
  }
  return fees.ever[token] - fees.claimable[token];
}

function placeOf(rows: readonly ProvenRow[], coin: string): Place {
  const places = rows.map(({ landed }) => placeIn(landed, coin));
  const [place] = places;
  if (!place) throw new NotProvable(`no harvest of ${coin} is known`);
  const other = places.find(({ position }) => position !== place.position);
  if (!other) return place;
  const expected = { value: place.position, from: `the first harvest of ${coin}` };
  throw new Difference('a harvest is of another position', expected, { value: other.position, from: 'a later one' });
}

function placeIn({ instructions, signature }: Landed, coin: string): Place {
  const collect = instructions.find(({ program }) => program === RAYDIUM_LOCK_PROGRAM);
  if (!collect) throw new NotProvable(`${signature} harvests ${coin} by no program that this version reads`);
  const at = (place: number) => collect.accounts[place]?.address ?? '';
  return { position: at(PLACE.position), pool: at(PLACE.pool), lower: at(PLACE.lower), upper: at(PLACE.upper) };
}
