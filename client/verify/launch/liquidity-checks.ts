import { associatedAccount, derivedAddress } from '../../solana/associated-account.ts';
import { addressBytes, readUint, sameBytes, toBase58 } from '../../solana/bytes.ts';
import { RAYDIUM_CLMM_PROGRAM, RAYDIUM_LOCK_PROGRAM, TOKEN_2022_PROGRAM } from '../../solana/programs.ts';
import type { AccountState, Chain } from '../chain.ts';
import { Difference, mustEqual, NotProvable, type Outcome } from '../check.ts';
import { gainOf } from '../landed.ts';
import { poolNow } from '../market-pool.ts';
import { isPool, mintsOfPool } from '../revenue/pool-growth.ts';
import { readTokenAccount } from '../token-account.ts';
import { mustKeepCoins } from './kept-coins.ts';
import type { LaunchBundle } from './launch-bundle.ts';
import type { LaunchedMint } from './mint-checks.ts';
import { anchorTag, type LaunchPosition, type RaydiumLaunch, readRaydiumLaunch } from './raydium-steps.ts';

export interface Liquidity extends RaydiumLaunch {
  readonly quoteMint: string;
  /** Raydium's configuration of the pool's tier. */
  readonly ammConfig: string;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Owns the NFT of each locked position; no key signs for it. */
export const LOCK_AUTHORITY = derivedAddress([encode('program_authority_seed')], RAYDIUM_LOCK_PROGRAM);

/** `LockedClmmPositionState` and `PersonalPositionState` of the published interfaces. */
const LOCKED = { program: RAYDIUM_LOCK_PROGRAM, bytes: 241, tag: anchorTag('account:LockedClmmPositionState') };
const POSITION = { program: RAYDIUM_CLMM_PROGRAM, bytes: 281, tag: anchorTag('account:PersonalPositionState') };

/** Offsets of addresses in them and in a pool, and of the liquidity of a position. */
const AT = { lockedPool: 41, lockedPosition: 73, lockedNft: 105, lockedFeeKey: 137 } as const;
const POOL_CONFIG_AT = 9;
const POSITION_AT = { mint: 9, pool: 41, liquidity: 81 } as const;

/**
 * Requires that the pool is Raydium's, of coin and quote token, and that its lock program holds both positions of the
 * launch, each with the liquidity that was opened. The lock program has no instruction that takes liquidity out.
 */
export async function checkLiquidity(
  chain: Chain,
  bundle: LaunchBundle,
  { mint, mintedRaw }: LaunchedMint,
): Promise<Outcome<Liquidity>> {
  const launch = readRaydiumLaunch(bundle);
  mustHaveOneRange(launch, bundle);
  mustKeepCoins(bundle, launch.pool, mint);
  const placed = launch.positions.map((position) => ({ position, place: placesOf(position) }));
  const addresses = placed.flatMap(({ place: { lock, position, nft } }) => [lock, position, nft]);
  const states = await chain.accounts(addresses);
  const found = new Map(addresses.map((address, index) => [address, states[index] ?? null]));
  const { quoteMint, ammConfig } = marketOf(launch.pool, await poolNow(chain, launch.pool), mint, chain);
  for (const one of placed) mustBeLocked(chain, { launch, found, ...one });
  const [inPool, kept] = [gainOf(bundle.pool, launch.pool, mint), keptOf(bundle, mint)];
  const coins = `the launch left ${inPool} of ${mintedRaw} raw units in it and ${kept} with the launch wallet`;
  return {
    how: `both positions of ${launch.pool} are locked, quote token ${quoteMint}; ${coins}`,
    value: { ...launch, quoteMint, ammConfig },
  };
}

/** Returns the launch wallet's coins behind the third transaction. */
export function keptOf({ pool, launchWallet }: LaunchBundle, mint: string): bigint {
  const own = pool.tokens.filter((one) => one.owner === launchWallet && one.mint === mint);
  return own.reduce((sum, { after }) => sum + (after ?? 0n), 0n);
}

export interface Places {
  readonly lock: string;
  readonly position: string;
  /** The position's NFT with the lock program. */
  readonly nft: string;
}

export function placesOf({ positionMint, feeKeyMint }: LaunchPosition): Places {
  return {
    lock: derivedAddress([encode('locked_position'), addressBytes(feeKeyMint)], RAYDIUM_LOCK_PROGRAM),
    position: derivedAddress([encode('position'), addressBytes(positionMint)], RAYDIUM_CLMM_PROGRAM),
    nft: associatedAccount({ wallet: LOCK_AUTHORITY, mint: positionMint, program: TOKEN_2022_PROGRAM }),
  };
}

/** A position in another range earns other fees, or none. */
function mustHaveOneRange({ positions: [first, second] }: RaydiumLaunch, { pool }: LaunchBundle): void {
  const range = ({ tickLower, tickUpper }: LaunchPosition) => `ticks ${tickLower} to ${tickUpper}`;
  const expected = { value: range(first), from: 'the first position' };
  mustEqual('the positions have different ranges', expected, { value: range(second), from: pool.signature });
}

function marketOf(
  pool: string,
  state: AccountState | null,
  mint: string,
  { name }: Chain,
): Pick<Liquidity, 'quoteMint' | 'ammConfig'> {
  const from = `${pool} on ${name}`;
  if (!state) throw new NotProvable(`${name} does not have the pool ${pool}`);
  const expected = { value: `a pool of ${mint} at Raydium`, from: 'docs/verify.md' };
  if (!isPool(state))
    throw new Difference('the pool is not Raydium’s', expected, { value: `an account of ${state.program}`, from });
  const mints = mintsOfPool(state);
  const [quoteMint, ...others] = mints.filter((one) => one !== mint);
  if (quoteMint !== undefined && others.length === 0)
    return { quoteMint, ammConfig: addressAt(state.data, POOL_CONFIG_AT) };
  throw new Difference('the pool is of another coin', expected, { value: mints.join(' and '), from });
}

interface Scene {
  readonly launch: RaydiumLaunch;
  readonly position: LaunchPosition;
  readonly place: Places;
  readonly found: ReadonlyMap<string, AccountState | null>;
}

function mustBeLocked(chain: Chain, { launch, position: opened, place, found }: Scene): void {
  const { lock, position, nft } = place;
  const on = (address: string) => `${address} on ${chain.name}`;
  const stateAt = (address: string) => {
    const state = found.get(address);
    if (state) return state;
    throw new NotProvable(`${chain.name} does not have ${address}, which locks the position ${opened.positionMint}`);
  };
  const locked = openState(stateAt(lock), LOCKED, on(lock));
  if (opened.liquidity === 0n)
    throw new Difference(
      'a position is opened without liquidity',
      { value: 'more than 0', from: 'docs/verify.md' },
      { value: '0', from: `the position ${opened.positionMint}` },
    );
  const own = openState(stateAt(position), POSITION, on(position));
  for (const [what, value, data, at, from] of [
    ['a lock is of another pool', launch.pool, locked, AT.lockedPool, lock],
    ['a lock is of another position', position, locked, AT.lockedPosition, lock],
    ['a lock keeps another NFT', nft, locked, AT.lockedNft, lock],
    ['a lock has another Fee Key', opened.feeKeyMint, locked, AT.lockedFeeKey, lock],
    ['a position has another NFT', opened.positionMint, own, POSITION_AT.mint, position],
    ['a position is in another pool', launch.pool, own, POSITION_AT.pool, position],
  ] as const)
    mustEqual(what, { value, from: 'the launch' }, { value: addressAt(data, at), from: on(from) });
  mustKeepNft(stateAt(nft), opened, on(nft));
  const liquidity = readUint(own, POSITION_AT.liquidity, 16);
  if (liquidity >= opened.liquidity) return;
  const all = { value: `at least ${opened.liquidity}`, from: 'the launch' };
  throw new Difference('liquidity has left a position', all, { value: String(liquidity), from: on(position) });
}

function mustKeepNft(state: AccountState, { positionMint }: LaunchPosition, from: string): void {
  const nft = readTokenAccount(state);
  const holder = nft && nft.raw === 1n && nft.mint === positionMint && nft.delegate === null ? nft.owner : 'nobody';
  const expected = { value: LOCK_AUTHORITY, from: 'Raydium’s lock program' };
  mustEqual('the lock program does not hold the NFT of a position', expected, { value: holder, from });
}

type Kind = typeof LOCKED;

/** @throws NotProvable for another form: only the program itself makes an account at such an address */
function openState({ program, data }: AccountState, kind: Kind, from: string): Uint8Array {
  const isIt = program === kind.program && data.length === kind.bytes && sameBytes(data.subarray(0, 8), kind.tag);
  if (isIt) return data;
  throw new NotProvable(`${from} has ${data.length} bytes of ${program}, which this version does not read`);
}

function addressAt(data: Uint8Array, at: number): string {
  return toBase58(data.subarray(at, at + 32));
}
