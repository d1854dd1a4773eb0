import { PublicKey } from '@solana/web3.js';
import type { Logger } from 'pino';
import type { KeyContext, LaunchSeed } from '../../chain/keys/launch-keys.ts';
import { deriveLanes, type LaneAuthority, laneAuthority } from '../../chain/lanes/lane.ts';
import { deriveLaneSecret } from '../../chain/lanes/lane-secret.ts';
import type { RecentBlockhash } from '../../chain/rpc/recent-blockhash.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import type { TransactionSigner } from '../../chain/signers/signer.ts';
import type { Db } from '../../db/connect.ts';
import * as laneRows from '../../db/money/lanes.ts';
import { once } from '../../domain/once.ts';
import { createPlaces, type Places } from '../../domain/places.ts';
import { createFollower } from './follower.ts';
import type { Followed, Outcome } from './in-flight.ts';
import type { LaneContext } from './lane-context.ts';
import { catchUp, learnAll } from './learn.ts';
import { createTurns, type Turns } from './turns.ts';

export interface FollowingSettings {
  readonly pollMs: number;
  readonly resendMs: number;
  /** For another movement in the lane, before both compete. */
  readonly patienceMs: number;
}

export interface LanesOptions extends FollowingSettings {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
  /** Owners of lanes. */
  readonly authorities: Readonly<Record<LaneAuthority, TransactionSigner>>;
  /** With the one that the lanes were made with. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
}

export interface Lanes {
  /** Read once. Rejects if the lanes are not made or their seed is missing. */
  ground(): Promise<LaneContext>;
  signerOf(lane: number): TransactionSigner;
  /** Shared by concurrent movements. */
  blockhash(): Promise<RecentBlockhash>;
  /** Confirmed lamports, by one endpoint; shared by concurrent movements. */
  balanceOf(wallet: PublicKey): Promise<bigint>;
  readonly turns: Turns;
  /** Bulk movements that are built, signed and persisted at once: they leave CPU and connections to others. */
  readonly places: Places;
  follow(followed: Followed): Promise<Outcome>;
  /**
   * To the chain's values of all lanes: two calls per endpoint if nothing is new. Rejects on failure: then nothing may
   * be planned.
   */
  learn(): Promise<void>;
  /** Before accepting a failure that a moved lane would explain. False if the lane has not moved. */
  catchUp(lane: number): Promise<boolean>;
}

/** The lanes are missing, or the database or seed belongs to other lanes. */
export class LanesMissingError extends Error {
  constructor(problem: string) {
    super(`${problem}; "ops lanes make" makes the lanes, "ops lanes show" compares them`);
    this.name = 'LanesMissingError';
  }
}

/** The movements of a round begin together; more would delay users for seconds (docs/scale.md). */
const BUILT_AT_ONCE = 2;

/** Reads nothing before the first use. */
export function createLanes(options: LanesOptions): Lanes {
  const { db, rpc, logger, authorities, pollMs, resendMs } = options;
  const ground = once(() => openContext(options));
  const follower = createFollower({ db, rpc, logger, pollMs, resendMs, ground });
  const blockhashes = forMs(2 * pollMs, () => rpc.agreedBlockhash());
  const balances = forMs(2 * pollMs, async (wallet) =>
    BigInt(await rpc.connection.getBalance(new PublicKey(wallet), 'confirmed')),
  );
  return {
    ground,
    signerOf: (lane) => authorities[laneAuthority(lane)],
    blockhash: () => blockhashes(''),
    balanceOf: (wallet) => balances(wallet.toBase58()),
    turns: createTurns(options.patienceMs),
    places: createPlaces({ inAll: BUILT_AT_ONCE }),
    follow: (followed) => follower.follow(followed),
    learn: together(async () => learnAll({ db, rpc, logger }, await ground())),
    catchUp: async (lane) => catchUp({ db, rpc, logger }, await ground(), lane),
  };
}

async function openContext({ db, authorities, seeds, context }: LanesOptions): Promise<LaneContext> {
  const { platform, treasury } = authorities;
  const keys = { platform: platform.publicKey, treasury: treasury.publicKey };
  const [rows, lanes] = await Promise.all([laneRows.all(db), deriveLanes(keys, context.environment)]);
  const [first] = rows;
  if (!first || rows.length < lanes.length) throw new LanesMissingError(`the database has ${rows.length} lanes`);
  // From platform wallet and environment, also where the treasury is the authority.
  const foreign = lanes.find(({ index, mint, authority }) => {
    const row = rows[index];
    return row?.mint !== mint.toBase58() || row.authority !== authority.toBase58();
  });
  if (foreign) {
    const { index, authority } = foreign;
    const wallet = `${laneAuthority(index)} wallet ${authority.toBase58()}`;
    throw new LanesMissingError(`lane ${index} of the database does not belong to the ${wallet}`);
  }
  const seed = seeds.find(({ id }) => id === first.seedId);
  if (!seed) throw new LanesMissingError(`the lanes were made with seed "${first.seedId}", which LAUNCH_SEEDS lacks`);
  return { lanes, secret: deriveLaneSecret(seed, context) };
}

/** Callers during a request share the next one: no response is older than its question. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let [current, next]: [Promise<T> | null, Promise<T> | null] = [null, null];
  const begin = (): Promise<T> => {
    next = null;
    current = ask().finally(() => {
      if (next === null) current = null;
    });
    return current;
  };
  return () => {
    if (current === null) return begin();
    next ??= current.then(begin, begin);
    return next;
  };
}

/** Failures are not cached. */
function forMs<T>(ms: number, ask: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const asked = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  return (name) => {
    const at = performance.now();
    for (const [other, known] of asked) if (at - known.at > ms) asked.delete(other);
    const one = asked.get(name) ?? { at, answer: ask(name) };
    asked.set(name, one);
    one.answer.catch(() => asked.get(name) === one && asked.delete(name));
    return one.answer;
  };
}
