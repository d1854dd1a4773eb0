import { openSigner, type SignerSource } from './open-signer.ts';
import { type Signer, SignerError } from './signer.ts';

/** The platform's own keys, each with one purpose. */
export interface PlatformSigners {
  /** Holds quote tokens for dev buys, receives fees. */
  readonly treasury: Signer;
  /** Pays for emptying launch wallets, refunds and nonces; authority of claims. */
  readonly platform: Signer;
  /** Withdraws the transfer tax; holds Fee Keys of reward launches. */
  readonly rewards: Signer;
}

/** Where each of the platform's keys lies. */
export interface PlatformSignerSources {
  readonly treasury: SignerSource;
  readonly platform: SignerSource;
  readonly rewards: SignerSource;
}

/**
 * Opens the platform's keys; each has signed once when this resolves. Rejects with a SignerError that names the key and its
 * source, and when two of them are the same: whoever learns one key must not have the others.
 */
export async function openPlatformSigners(sources: PlatformSignerSources): Promise<PlatformSigners> {
  const [treasury, platform, rewards] = await Promise.all([
    openSigner('treasury', sources.treasury),
    openSigner('platform', sources.platform),
    openSigner('rewards', sources.rewards),
  ]);
  assertDistinct([treasury, platform, rewards]);
  return { treasury, platform, rewards };
}

function assertDistinct(signers: readonly Signer[]): void {
  const seen = new Map<string, Signer>();
  for (const signer of signers) {
    const address = signer.publicKey.toBase58();
    const other = seen.get(address);
    if (other) throw new SignerError(signer.name, `is the same key as the ${other.name}: ${address}`);
    seen.set(address, signer);
  }
}
