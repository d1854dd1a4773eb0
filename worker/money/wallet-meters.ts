import { Gauge, type Metric } from 'prom-client';
import type { Shared } from '../shared.ts';
import { seldom } from '../seldom.ts';

/** How old a balance on the page may be, in ms. */
const KEPT_MS = 60_000;

/** What Prometheus reads of the platform's wallets. An endpoint that is away leaves them out. */
export function createWalletMeters({
  rpc,
  signers,
  logger,
}: Pick<Shared, 'rpc' | 'signers' | 'logger'>): readonly Metric[] {
  const wallets = [
    { wallet: 'treasury', key: signers.treasury.publicKey },
    { wallet: 'platform', key: signers.platform.publicKey },
    { wallet: 'rewards', key: signers.rewards.publicKey },
  ];
  const balances = seldom(KEPT_MS, () =>
    Promise.all(
      wallets.map(async ({ wallet, key }) => ({ wallet, lamports: await rpc.connection.getBalance(key, 'confirmed') })),
    ),
  );
  const metric = new Gauge({
    name: 'slipway_wallet_lamports',
    help: 'Lamports of the platform’s wallets, at most a minute old',
    labelNames: ['wallet'],
    registers: [],
    async collect() {
      this.reset();
      try {
        for (const { wallet, lamports } of await balances()) this.set({ wallet }, lamports);
      } catch (error) {
        logger.warn({ err: error }, 'the balances of the platform’s wallets could not be read');
      }
    },
  });
  return [metric];
}
