import type { ReconcileDeps } from '../../activities/money/reconcile/deps.ts';
import type { Shared } from '../shared.ts';

export function reconcileDepsOf(shared: Shared): ReconcileDeps {
  const { treasury, platform } = shared.signers;
  return { ...shared, wallets: { treasury: treasury.publicKey, platform: platform.publicKey } };
}
