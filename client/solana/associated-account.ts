import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { addressBytes, toBase58 } from './bytes.ts';
import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';

/** Marker in every derived address (solana-program, `PDA_MARKER`). */
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');

/** Derives one account per token program. */
export function associatedAccounts(wallet: string, mint: string): readonly string[] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedAccount({ wallet, mint, program }));
}

/** Wallet and mint, with the mint's token program. */
export interface AccountOwner {
  readonly wallet: string;
  readonly mint: string;
  readonly program: string;
}

export function associatedAccount({ wallet, mint, program }: AccountOwner): string {
  return derivedAddress([wallet, program, mint].map(addressBytes), ASSOCIATED_TOKEN_PROGRAM);
}

/**
 * Derives a program address from seeds: the first of 256 hashes that is no point of the curve, so that no key signs for
 * it.
 */
export function derivedAddress(seeds: readonly Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const parts = [...seeds, Uint8Array.of(bump), addressBytes(program), MARKER];
    const address = sha256(Uint8Array.from(parts.flatMap((part) => [...part])));
    if (!isOnCurve(address)) return toBase58(address);
  }
  throw new RangeError(`no address of program ${program} follows from these seeds`);
}

/** A key can sign for it. */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    // The library reports this only by throwing.
    return false;
  }
}
