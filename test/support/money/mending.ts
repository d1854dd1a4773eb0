import { LAUNCH_TRANSACTIONS } from '../../../activities/launch/outside-lanes.ts';
import { REMEDIES } from '../../../worker/money/remedies.ts';
import { MINT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { VersionedTransaction } from '@solana/web3.js';
import { pino } from 'pino';
import { createRemedyActivities, type RemedyAnswer } from '../../../activities/money/remedies/activities.ts';
import type { Lane } from '../../../chain/lanes/lane.ts';
import type { LaneSecret } from '../../../chain/lanes/lane-secret.ts';
import type { AgreedAccount } from '../../../chain/rpc/agreed-accounts.ts';
import type { Span } from '../../../chain/rpc/absence.ts';
import type { Db } from '../../../db/connect.ts';
import type { Remedy } from '../../../domain/money/finding.ts';

/** What a remedy asks of the chain, each answer as a quorum has it. */
export interface ChainSight {
  readonly supply?: () => bigint;
  /** Data of a token account; undefined: there is none. */
  readonly held?: (address: string) => Uint8Array | undefined;
  readonly absent?: readonly string[];
  readonly laneValue?: () => bigint;
  /** The lane in question, with keys; the others are names. */
  readonly lane?: Lane;
  /** Transactions that have landed, by signature, where not each has. */
  readonly landed?: ReadonlyMap<string, Uint8Array>;
  readonly wire?: Uint8Array;
  readonly presenceSince?: (signatures: readonly string[], span: Span) => Promise<never>;
}

export const LANE_SECRET = new Uint8Array(32).fill(7) as LaneSecret;
const LANES = 128;

/** Slot and height of every endpoint's head. */
export const MENDING_HEAD = 1_000_000;

const logger = pino({ level: 'silent' });

/** A quorum that answers alike. Heights are beyond whatever was signed. */
export function mendingDeps(own: Db, chain: ChainSight): never {
  const ground = { secret: LANE_SECRET, lanes: lanesOf(chain) };
  const lanes = { ground: () => Promise.resolve(ground) };
  const outsideLanes = LAUNCH_TRANSACTIONS;
  return { db: own, rpc: rpcOf(chain), logger, lanes, outsideLanes, now: () => new Date() } as never;
}

function lanesOf({ lane }: ChainSight) {
  return Array.from({ length: LANES }, (_, index) =>
    lane?.index === index ? lane : { index, mint: { toBase58: () => `mint-${index}` } },
  );
}

function rpcOf(chain: ChainSight) {
  const landed = (signature: string) => Promise.resolve(landedOf(chain, signature));
  return {
    quorum: 1,
    agreedAccounts: (addresses: readonly string[]) =>
      Promise.resolve(new Map(addresses.map((one) => [one, accountOf(chain, one)]))),
    presenceSince: (signatures: readonly string[], span: Span) =>
      chain.presenceSince?.(signatures, span) ??
      Promise.resolve(new Map(signatures.map((one) => [one, chain.absent?.includes(one) ? 'absent' : 'present']))),
    readLanes: (mints: readonly string[]) => {
      const values = new Map(mints.map((mint) => [mint, chain.laneValue?.() ?? 0n]));
      return Promise.resolve({ quorum: 1, testimonies: [{ slot: 9, blockHeight: 1_000_000, values }] });
    },
    agreedHead: () => Promise.resolve({ slot: MENDING_HEAD, blockHeight: MENDING_HEAD }),
    historiesOf: () =>
      Promise.resolve([[...(chain.landed?.keys() ?? [])].map((signature) => ({ signature, slot: 9, err: null }))]),
    agreedTransaction: landed,
    landedSince: landed,
    proveDead: () => Promise.resolve({ verdict: 'dead' }),
  };
}

/** A token account, else a mint. */
function accountOf(chain: ChainSight, address: string): AgreedAccount {
  const mint = Buffer.alloc(MINT_SIZE);
  mint.writeBigUInt64LE(chain.supply?.() ?? 0n, 36);
  const data = Buffer.from(chain.held?.(address) ?? mint);
  return { lamports: 1n, owner: TOKEN_PROGRAM_ID.toBase58(), data };
}

function landedOf({ landed, wire }: ChainSight, signature: string): object | null {
  const bytes = landed ? landed.get(signature) : wire;
  if (landed && bytes === undefined) return null;
  const message = bytes && VersionedTransaction.deserialize(bytes).message.serialize();
  return {
    signature,
    slot: 9,
    err: null,
    wire: bytes,
    message,
    blockTime: null,
    tokenChanges: [],
    loadedAddresses: [],
  };
}

/** What an operator asks for, and how the chain looks. */
export interface Mending {
  readonly remedy: Remedy;
  readonly subject: string;
  readonly purpose?: string;
  readonly chain: ChainSight;
}

export const mend = (own: Db, { remedy, subject, purpose, chain }: Mending): Promise<RemedyAnswer> =>
  createRemedyActivities(mendingDeps(own, chain), REMEDIES).carryOut({
    remedy,
    subject,
    ...(purpose !== undefined && { purpose }),
    actor: 'operator',
    note: 'test',
  });
