import { Gauge, type Metric } from 'prom-client';
import type { Shared } from '../shared.ts';
import { seldom } from '../seldom.ts';

/** How old a balance on the page may be, and how long the page waits for one. */
const LOOKS = { everyMs: 60_000, patienceMs: 2_000 } as const;

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
  const balances = seldom(LOOKS, () =>
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
