import { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../tokens/token.ts';

export type ReadAgreedTokens = (mints: readonly PublicKey[]) => Promise<readonly (TokenInfo | null)[]>;

/** Short: signing reads the mint again. */
const REMEMBER_MS = 5_000;

export function rememberedUnits(read: ReadAgreedTokens, now: () => Date): (mint: string) => Promise<string | null> {
  const kept = new Map<string, { readonly until: number; readonly problem: Promise<string | null> }>();
  return (mint) => {
    const at = now().getTime();
    const known = kept.get(mint);
    if (known && known.until > at) return known.problem;
    const problem = read([new PublicKey(mint)]).then(([token]) => token?.unitProblem ?? null);
    kept.set(mint, { until: at + REMEMBER_MS, problem });
    problem.catch(() => kept.delete(mint));
    return problem;
  };
}
