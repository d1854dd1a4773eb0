import { useStats } from '../api/stats.ts';
import { DESK_ROOT, SITE_NAME } from '../site.ts';

const NETWORKS = {
  'mainnet-beta': 'Solana mainnet',
  devnet: 'Solana devnet',
  testnet: 'Solana testnet',
  localnet: 'a local chain',
};

/** The foot of every page: where it runs, and the API behind it. */
export function Footer() {
  const network = useStats().data?.network;
  return (
    <footer className="site-footer">
      <p>
        {SITE_NAME} on {network === undefined ? 'Solana' : NETWORKS[network]}. It never holds your keys: you sign one
        payment, and either the whole launch happens or nothing is charged.
      </p>
      <p>
        {DESK_ROOT !== null && 'This chain runs on this machine: its tokens are worth nothing. '}
        <a href="/docs">API</a> · <a href="/llms.txt">llms.txt</a> · Charts by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer noopener">
          TradingView Lightweight Charts™
        </a>
      </p>
    </footer>
  );
}
