import { openSigner, type SignerSource } from './open-signer.ts';
import { type Signer, SignerError } from './signer.ts';

/** Signers, one purpose each. */
export interface PlatformSigners {
  /** Quote tokens for dev buys; gets the fees. */
  readonly treasury: Signer;
  /** Pays for emptying, refunds, nonces; authority of claims. */
  readonly platform: Signer;
  /** Withdraws transfer tax; holds Fee Keys of reward launches. */
  readonly rewards: Signer;
}

export interface PlatformSignerSources {
  readonly treasury: SignerSource;
  readonly platform: SignerSource;
  readonly rewards: SignerSource;
}

/**
 * Each has made a probe signature. Rejects with a SignerError that names key and source, also for equal keys: a leaked
 * one must not expose others.
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
