import { useStats } from '../api/stats.ts';
import { Copy } from './copy.tsx';
import { Icon } from './icon.tsx';

const CLUSTERS: Readonly<Record<string, string | null>> = {
  'mainnet-beta': '',
  devnet: '?cluster=devnet',
  testnet: '?cluster=testnet',
  localnet: null,
};

interface OnChainProps {
  readonly kind: 'address' | 'tx';
  readonly id: string;
  readonly what: string;
  readonly letters?: number;
}

/** Shows an address or signature, with an explorer link if the cluster has one. */
export function OnChain({ kind, id, what, letters = 4 }: OnChainProps) {
  const network = useStats().data?.network;
  const cluster = network === undefined ? null : CLUSTERS[network];
  return (
    <span className="on-chain">
      <Copy text={id} what={what} letters={letters} />
      {typeof cluster === 'string' && (
        <a href={`https://explorer.solana.com/${kind}/${id}${cluster}`} target="_blank" rel="noreferrer noopener">
          <span className="sr-only">{what} in the explorer</span>
          <Icon name="out" />
        </a>
      )}
    </span>
  );
}
