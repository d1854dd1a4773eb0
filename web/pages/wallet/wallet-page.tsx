import { isAddress } from '../../../client/solana/bytes.ts';
import { FollowEvents } from '../../events/follow-events.tsx';
import { Notice } from '../../parts/answered.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { ClaimsPanel } from './claims-panel.tsx';
import { FeesPanel } from './fees-panel.tsx';
import { LaunchesPanel } from './launches-panel.tsx';
import { RewardsPanel } from './rewards-panel.tsx';
import { TradesPanel } from './trades-panel.tsx';

/** Trades of others, which earn fees, are not among the events about a wallet. */
const TYPES = [
  'launch.completed',
  'launch.refunded',
  'token.launched',
  'token.withdrawn',
  'trade.confirmed',
  'trade.final',
  'trade.withdrawn',
  'payout.paid',
  'claim.paid',
] as const;

export default function WalletPage({ wallet }: { readonly wallet: string }) {
  useTitle('A wallet');
  return (
    <>
      <h1>A wallet</h1>
      {isAddress(wallet) ? (
        <FollowEvents filter={{ types: TYPES, wallet }}>
          <p className="hint">
            <OnChain kind="address" id={wallet} what="wallet" letters={8} />
          </p>
          <div className="stack">
            <FeesPanel wallet={wallet} />
            <RewardsPanel wallet={wallet} />
            <ClaimsPanel wallet={wallet} />
            <TradesPanel wallet={wallet} />
            <LaunchesPanel wallet={wallet} />
          </div>
        </FollowEvents>
      ) : (
        <Notice kind="warn">This is no address of a wallet.</Notice>
      )}
    </>
  );
}
