import { sha256 } from '@noble/hashes/sha2.js';
import { readUint, sameBytes } from '../../solana/bytes.ts';
import type { Instruction } from '../../solana/message.ts';
import { RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM } from '../../solana/programs.ts';
import { Difference, mustEqual, NotProvable } from '../check.ts';
import { PLAIN_PROGRAMS } from '../kept-accounts.ts';
import type { Landed } from '../landed.ts';
import type { LaunchBundle } from './launch-bundle.ts';

/** A position as the launch opened it, and its Fee Key. */
export interface LaunchPosition {
  readonly positionMint: string;
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly feeKeyMint: string;
}

/** The part of Raydium's programs in a launch, by its signed bytes. */
export interface RaydiumLaunch {
  readonly pool: string;
  /** In the order of their locks. */
  readonly positions: readonly [LaunchPosition, LaunchPosition];
}

/** Returns what Anchor puts in front of an instruction ("global:…") or an account ("account:…"). */
export function anchorTag(name: string): Uint8Array {
  return sha256(new TextEncoder().encode(name)).subarray(0, 8);
}

const CREATE_POOL = anchorTag('global:create_pool');
const OPEN_POSITION = anchorTag('global:open_position_with_token22_nft');
const SWAP = anchorTag('global:swap_v2');
const LOCK = anchorTag('global:lock_clmm_position');

/** Places of accounts in these instructions. */
const PLACE = { createdPool: 2, openedMint: 2, openedPool: 4, lockedMint: 6, feeKeyMint: 9 } as const;

/** Offsets behind the tag of `open_position_with_token22_nft`: four ticks, then the liquidity. */
const [TICKS_AT, LIQUIDITY_AT] = [8, 24];

/** Others could open a position that the signed bytes do not show. */
const KNOWN_PROGRAMS: readonly string[] = [...PLAIN_PROGRAMS, RAYDIUM_CLMM_PROGRAM];

const RULES = 'docs/verify.md';

/**
 * Reads the pool, its two positions and their locks.
 * @throws NotProvable for another exchange than Raydium
 * @throws Difference where a position is not locked
 */
export function readRaydiumLaunch({ pool: landed, locks }: Pick<LaunchBundle, 'pool' | 'locks'>): RaydiumLaunch {
  const calls = landed.instructions.filter(({ program }) => program === RAYDIUM_CLMM_PROGRAM);
  if (calls.length === 0)
    throw new NotProvable(`${landed.signature} asks Raydium for nothing: this version reads no other exchange`);
  const [created, ...others] = calls.filter(asks(CREATE_POOL));
  const opened = calls.filter(asks(OPEN_POSITION));
  const known = 1 + opened.length + calls.filter(asks(SWAP)).length;
  const isUsual = others.length === 0 && opened.length === 2 && calls.length === known;
  if (!created || !isUsual)
    throw new Difference(
      'the launch asks Raydium for something else',
      { value: 'one pool, two positions and a purchase at most', from: RULES },
      { value: `${calls.length} calls, ${opened.length} positions`, from: landed.signature },
    );
  mustCallKnown(landed);
  const pool = accountAt(created, PLACE.createdPool, landed);
  for (const one of opened)
    mustEqual(
      'a position is in another pool',
      { value: pool, from: 'the pool that the launch made' },
      { value: accountAt(one, PLACE.openedPool, landed), from: landed.signature },
    );
  const positions = lockedOf(
    locks,
    opened.map((one) => positionOf(one, landed)),
  );
  return { pool, positions };
}

/** @throws NotProvable where another program is called: it could have opened a position of its own */
function mustCallKnown({ instructions, signature }: Landed): void {
  const other = instructions.find(({ program }) => !KNOWN_PROGRAMS.includes(program));
  if (other) throw new NotProvable(`${signature} calls ${other.program}, which could open a further position`);
}

function asks(tag: Uint8Array): (one: Instruction) => boolean {
  return ({ data }) => sameBytes(data.subarray(0, tag.length), tag);
}

function positionOf(opened: Instruction, landed: Landed): Omit<LaunchPosition, 'feeKeyMint'> {
  const { data } = opened;
  return {
    positionMint: accountAt(opened, PLACE.openedMint, landed),
    tickLower: tickAt(data, TICKS_AT),
    tickUpper: tickAt(data, TICKS_AT + 4),
    liquidity: readUint(data, LIQUIDITY_AT, 16),
  };
}

function tickAt(data: Uint8Array, at: number): number {
  return Number(BigInt.asIntN(32, readUint(data, at, 4)));
}

/** Joins each lock with its position. */
function lockedOf(locks: Landed, opened: readonly Omit<LaunchPosition, 'feeKeyMint'>[]): RaydiumLaunch['positions'] {
  const calls = locks.instructions.filter((one) => one.program === RAYDIUM_LOCK_PROGRAM && asks(LOCK)(one));
  const [first, second, ...more] = calls.flatMap((call) => {
    const mint = accountAt(call, PLACE.lockedMint, locks);
    const position = opened.find(({ positionMint }) => positionMint === mint);
    return position ? [{ ...position, feeKeyMint: accountAt(call, PLACE.feeKeyMint, locks) }] : [];
  });
  if (first && second && more.length === 0 && first.positionMint !== second.positionMint) return [first, second];
  const locked = new Set(calls.map((call) => call.accounts[PLACE.lockedMint]?.address));
  const free = opened.filter(({ positionMint }) => !locked.has(positionMint)).map(({ positionMint }) => positionMint);
  throw new Difference(
    'a position of the launch is not locked',
    { value: opened.map(({ positionMint }) => positionMint).join(' and '), from: 'the positions that it opened' },
    { value: `${calls.length} locks, none of ${free.join(', ') || 'them alone'}`, from: locks.signature },
  );
}

/** @throws NotProvable for an account out of a lookup table, which no signature covers */
function accountAt({ accounts, program }: Instruction, place: number, { loaded, signature }: Landed): string {
  const address = accounts[place]?.address;
  if (address !== undefined && !loaded.includes(address)) return address;
  throw new NotProvable(`${signature} does not name account ${place} of its call of ${program} itself`);
}
