import { BigNumber } from 'bignumber.js';
import bs58 from 'bs58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../client/solana/programs.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import {
  bookCollections,
  type BuybackShare,
  type Call,
  type Collected,
  readCollections,
} from '../../../integrations/dimension-adapters/fees/slipway/collections.ts';
import { httpGet, httpPost } from '../../../integrations/dimension-adapters/utils/fetchURL.ts';

/** Where an aggregator reads. */
export interface AggregatorSources {
  /** Ends in `/api/public/v1`. */
  readonly api: string;
  readonly rpc: string;
}

const SET_AUTHORITY = 6;

/** The stand-in has no program: a collection hands the pool's account to the key of its next state. */
function isStandInCollection({ program, data }: Call): boolean {
  const isToken = program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM;
  return isToken && bs58.decode(data)[0] === SET_AUTHORITY;
}

const DAY_SECONDS = 86_400;

/** Reads the collections of a UTC day, `YYYY-MM-DD`, as the adapter does. */
export function collectionsOf({ api, rpc }: AggregatorSources, date: string): Promise<Collected[]> {
  const from = Date.parse(date) / 1_000;
  const sources = {
    isCollection: isStandInCollection,
    api: async (path: string) => (await httpGet(`${api}${path}`)).data,
    rpc: async (method: string, params: readonly unknown[]) => {
      const { result, error } = await httpPost(rpc, { jsonrpc: '2.0', id: 1, method, params });
      if (error !== undefined) throw new Error(`${method} was refused: ${JSON.stringify(error)}`);
      return result;
    },
  };
  return readCollections(sources, { from, until: from + DAY_SECONDS });
}

/** Sums of tokens by mint, as an aggregator keeps them. */
export class Sums {
  readonly raw = new Map<string, bigint>();

  add(token: string, amount: bigint): void {
    this.raw.set(token, (this.raw.get(token) ?? 0n) + amount);
  }

  /** At the prices of the local pairs, rounded to the cent. */
  usd(): string {
    const worths = [...this.raw].map(([mint, amount]) => {
      const pair = SEED_PAIRS.find((one) => one.mint.toBase58() === mint);
      if (!pair) throw new Error(`${mint} is no local pair`);
      return new BigNumber(String(amount)).shiftedBy(-pair.decimals).times(pair.usd);
    });
    return BigNumber.sum(0, ...worths).toFixed(2);
  }
}

/** Books collections as the adapter does. */
export function booked(collected: readonly Collected[], share: BuybackShare) {
  return bookCollections(collected, () => new Sums(), share);
}
