import { isOnCurve } from '../solana/associated-account.ts';
import { addressBytes } from '../solana/bytes.ts';
import { SYSTEM_PROGRAM } from '../solana/programs.ts';
import type { AccountState } from './chain.ts';
import { NotProvable } from './check.ts';

/**
 * A program acts for its address, and the members of a multisignature for theirs, without its own signature: the signed
 * bytes then do not show what it did. Anybody can name an address; only its key can give it to a program.
 *
 * @throws NotProvable for a wallet that is no key's
 */
export function mustHaveKey(wallet: string, state: AccountState | null | undefined): void {
  const program = state?.program ?? SYSTEM_PROGRAM;
  if (isOnCurve(addressBytes(wallet)) && program === SYSTEM_PROGRAM) return;
  const owner = program === SYSTEM_PROGRAM ? 'an address without a key' : `an account of ${program}`;
  throw new NotProvable(`${wallet} is no wallet of a key, but ${owner}: it moves tokens without its own signature`);
}
