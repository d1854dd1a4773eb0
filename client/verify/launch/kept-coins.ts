import { associatedAccounts } from '../../solana/associated-account.ts';
import { Difference } from '../check.ts';
import { mustKeepOwn, mustSignForTrusted } from '../kept-accounts.ts';
import type { LaunchBundle } from './launch-bundle.ts';

/**
 * Coins go to the pool and, of a dev buy, to the creator, both in the pool's transaction. The launch wallet keeps the
 * rest.
 */
export function mustKeepCoins(bundle: LaunchBundle, to: string, coin: string): void {
  const { mint: made, pool, locks, launchWallet, creator } = bundle;
  for (const landed of [made, pool, locks]) {
    const due = landed === pool ? [to, creator, launchWallet] : [launchWallet];
    for (const { owner, mint, before, after } of landed.tokens) {
      if (mint !== coin || (after ?? 0n) <= (before ?? 0n) || due.includes(owner)) continue;
      const expected = { value: due.join(' or '), from: 'docs/verify.md' };
      throw new Difference('coins of the launch went to another wallet', expected, {
        value: owner,
        from: landed.signature,
      });
    }
  }
  mustKeepRest(bundle, coin);
}

/** @throws Difference where the launch gave another key power over what the launch wallet kept */
export function mustKeepRest({ mint, pool, locks, launchWallet }: LaunchBundle, coin: string): void {
  const own = associatedAccounts(launchWallet, coin);
  for (const landed of [mint, pool, locks]) mustKeepOwn(landed, launchWallet, own, 'the launch wallet');
  // Of the mint's transaction `coin` says which programs it calls.
  mustSignForTrusted([pool, locks], launchWallet);
}
