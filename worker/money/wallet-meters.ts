import type { Metric } from 'prom-client';
import { createSeldomGauge } from '../seldom-gauge.ts';
import type { Shared } from '../shared.ts';

type Parts = Pick<Shared, 'rpc' | 'signers' | 'logger'>;

export function createWalletMeters(parts: Parts): readonly Metric[] {
  const metric = createSeldomGauge(parts, {
    name: 'slipway_wallet_lamports',
    help: 'Lamports of the platform’s wallets, at most a minute old',
    labelNames: ['wallet'],
    read: () => balancesOf(parts),
  });
  return [metric];
}

function balancesOf({ rpc, signers }: Parts) {
  const wallets = [
    { wallet: 'treasury', key: signers.treasury.publicKey },
    { wallet: 'platform', key: signers.platform.publicKey },
    { wallet: 'rewards', key: signers.rewards.publicKey },
  ];
  return Promise.all(
    wallets.map(async ({ wallet, key }) => ({
      labels: { wallet },
      value: await rpc.connection.getBalance(key, 'confirmed'),
    })),
  );
}
