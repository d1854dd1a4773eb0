import { useStats } from '../api/stats.ts';
import { useExtension } from '../extension.ts';
import { SITE_NAME } from '../site.ts';

const NETWORKS = {
  'mainnet-beta': 'Solana mainnet',
  devnet: 'Solana devnet',
  testnet: 'Solana testnet',
  localnet: 'a local chain',
};

export function Footer() {
  const network = useStats().data?.network;
  const { notice } = useExtension();
  return (
    <footer className="site-footer">
      <p>
        {SITE_NAME} on {network === undefined ? 'Solana' : NETWORKS[network]}. It never holds your keys: you sign one
        payment, and either the whole launch happens or nothing stays charged: where only a beginning lands, it is
        finished or given back.
      </p>
      <p>
        {notice !== undefined && `${notice} `}
        <a href="/docs">API</a> · <a href="/llms.txt">llms.txt</a> · Charts by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer noopener">
          TradingView Lightweight Charts™
        </a>
      </p>
    </footer>
  );
}
