import { hash } from 'node:crypto';
import { ASSOCIATED_TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { MOST_OTHER_ACCOUNTS, otherAccountsOf, type OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';

/** base58; a thread takes no `PublicKey`. */
export interface CoinAddresses {
  readonly mint: string;
  readonly tokenProgram: string;
}

export interface OtherAccountsWanted {
  /** Requests accounts that are not their owner's associated one; default: no. */
  readonly withOtherAccounts?: boolean;
}

interface CoinQuery extends OtherAccountsWanted {
  readonly mint: PublicKey;
  readonly tokenProgram: PublicKey;
}

/** Null unless requested. */
export function wantedCoin({ mint, tokenProgram, withOtherAccounts = false }: CoinQuery): CoinAddresses | null {
  return withOtherAccounts ? { mint: mint.toBase58(), tokenProgram: tokenProgram.toBase58() } : null;
}

/** Finds accounts that are not their owner's associated one. */
export interface OtherAccountsSum {
  /** `owner`: a character per byte. `raw`: in the account, above zero. Throws a TypeError for what is no address. */
  add(owner: string, account: unknown, raw: bigint): void;
  /** At most `MOST_OWNERS` owners, those with the most in such accounts. */
  all(): OtherAccountsByOwner;
}

/** More would need tens of MB. */
const MOST_OWNERS = 20_000;

/** An address is the first of its hashes that is off the curve: half are, so one in 2^24 needs more tries. */
const BUMPS = 24;

/** Seeds of an associated address: owner, token program, mint, bump, program, marker (solana-program, pubkey.rs). */
const [PROGRAM_AT, MINT_AT, BUMP_AT, MAKER_AT, MARKER_AT, SEED_BYTES] = [32, 64, 96, 97, 129, 150];

const ADDRESS_BYTES = 32;

interface Others {
  readonly accounts: string[];
  raw: bigint;
}

export function sumOtherAccounts(coin: CoinAddresses): OtherAccountsSum {
  const isAssociated = associatedTest(coin);
  const found = new Map<string, Others>();
  return {
    add(owner, account, raw) {
      const bytes = typeof account === 'string' ? bs58.decodeUnsafe(account) : undefined;
      if (typeof account !== 'string' || bytes?.length !== ADDRESS_BYTES)
        throw new TypeError('an account whose address is none');
      if (isAssociated(owner, Buffer.from(bytes).toString('hex'))) return;
      const others = found.get(owner) ?? { accounts: [], raw: 0n };
      found.set(owner, others);
      others.raw += raw;
      // One beyond the limit shows that there are more.
      if (others.accounts.length <= MOST_OTHER_ACCOUNTS && !others.accounts.includes(account))
        others.accounts.push(account);
    },
    all: () =>
      new Map(greatestOf([...found]).map(([owner, { accounts }]) => [addressOf(owner), otherAccountsOf(accounts)])),
  };
}

function greatestOf(all: (readonly [string, Others])[]): readonly (readonly [string, Others])[] {
  if (all.length <= MOST_OWNERS) return all;
  return all.sort(([, { raw: a }], [, { raw: b }]) => (a === b ? 0 : a > b ? -1 : 1)).slice(0, MOST_OWNERS);
}

function addressOf(owner: string): string {
  return bs58.encode(Buffer.from(owner, 'latin1'));
}

/**
 * Tells by hashes alone, without the curve: 3 µs an account, where a derivation takes 1.4 ms. An account at any of the
 * hashes is the associated one: no key signs for a hash, and the program opens accounts only at the first one off the
 * curve.
 */
function associatedTest({ mint, tokenProgram }: CoinAddresses) {
  const seeds = Buffer.alloc(SEED_BYTES);
  for (const [address, at] of [
    [tokenProgram, PROGRAM_AT],
    [mint, MINT_AT],
    [ASSOCIATED_TOKEN_PROGRAM_ID.toBase58(), MAKER_AT],
  ] as const)
    seeds.set(bs58.decode(address), at);
  seeds.write('ProgramDerivedAddress', MARKER_AT, 'latin1');
  return (owner: string, address: string): boolean => {
    seeds.write(owner, 0, 'latin1');
    for (let bump = 255; bump > 255 - BUMPS; bump--) {
      seeds[BUMP_AT] = bump;
      if (hash('sha256', seeds, 'hex') === address) return true;
    }
    return false;
  };
}
