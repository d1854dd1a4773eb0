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
import type { LaneGround } from './lane-ground.ts';
import { catchUp, learnAll } from './learn.ts';
import { createTurns, type Turns } from './turns.ts';

/** How movements are followed. */
export interface FollowingSettings {
  /** Pause between two looks at everything in flight, in ms. */
  readonly pollMs: number;
  /** Pause between two sends of the same bytes, in ms. */
  readonly resendMs: number;
  /** How long a movement waits for another one in its lane before it competes with it, in ms. */
  readonly patienceMs: number;
}

/** What lanes are made of. */
export interface LanesOptions extends FollowingSettings {
  readonly db: Db;
  readonly rpc: Rpc;
  readonly logger: Logger;
  /** Wallets of the platform that lanes belong to. */
  readonly authorities: Readonly<Record<LaneAuthority, TransactionSigner>>;
  /** One of them is the one that the lanes were made with. */
  readonly seeds: readonly LaunchSeed[];
  readonly context: KeyContext;
}

/** The lanes as movements use them; one for each worker process. */
export interface Lanes {
  /** Lanes and secret; read once. Rejects where the lanes are not made, or with a seed that is not there. */
  ground(): Promise<LaneGround>;
  /** The signer of a lane's authority. */
  signerOf(lane: number): TransactionSigner;
  /** A blockhash for the next movement; movements that begin at the same time share one. */
  blockhash(): Promise<RecentBlockhash>;
  /** Lamports of a wallet by one endpoint's word, confirmed; movements that begin at the same time share one reading. */
  balanceOf(wallet: PublicKey): Promise<bigint>;
  /** One movement of this process after the other in each lane. */
  readonly turns: Turns;
  /** Movements of bulk that are built, signed and persisted at once: many that begin together leave the process and its connections to others. */
  readonly places: Places;
  /** Sends a version's bytes and follows them until their fate is known; see {@link Outcome}. */
  follow(followed: Followed): Promise<Outcome>;
  /**
   * Brings the ledger to what the chain says of all lanes. Rejects where that is not possible: then nothing may be planned. Two
   * calls for each endpoint where nothing is new.
   */
  learn(): Promise<void>;
  /** The same for one lane, before a failure is believed that its having moved on would explain. False where it has not. */
  catchUp(lane: number): Promise<boolean>;
}

/** The lanes are missing, or a database or a seed is not theirs. */
export class LanesMissingError extends Error {
  constructor(problem: string) {
    super(`${problem}; "ops lanes make" makes the lanes, "ops lanes show" compares them`);
    this.name = 'LanesMissingError';
  }
}

/**
 * Movements of bulk that are built at the same moment. Those of a round begin together, when the last ones are final: with more
 * places they take the whole process for seconds, and what people wait for waits too (docs/scale.md).
 */
const BUILT_AT_ONCE = 2;

/** Nothing is read before it is needed. */
export function createLanes(options: LanesOptions): Lanes {
  const { db, rpc, logger, authorities, pollMs, resendMs } = options;
  const ground = once(() => openGround(options));
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
    places: createPlaces(BUILT_AT_ONCE),
    follow: (followed) => follower.follow(followed),
    learn: together(async () => learnAll({ db, rpc, logger }, await ground())),
    catchUp: async (lane) => catchUp({ db, rpc, logger }, await ground(), lane),
  };
}

async function openGround({ db, authorities, seeds, context }: LanesOptions): Promise<LaneGround> {
  const { platform, treasury } = authorities;
  const keys = { platform: platform.publicKey, treasury: treasury.publicKey };
  const [rows, lanes] = await Promise.all([laneRows.all(db), deriveLanes(keys, context.environment)]);
  const [first] = rows;
  if (!first || rows.length < lanes.length) throw new LanesMissingError(`the database has ${rows.length} lanes`);
  // The mint follows from the platform wallet and the environment alone, also where the authority is the treasury.
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

/**
 * One asking at a time: whoever comes while one is under way gets the next, together with all others who do, so that no answer is
 * older than its question.
 */
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

/** Asks at most once in so many ms about each. What is older, or failed, is not kept. */
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
