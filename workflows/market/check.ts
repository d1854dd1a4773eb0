import { proxyActivities } from '@temporalio/workflow';
import type { MarketCheckActivities } from '../../activities/market/check.ts';
import type { MarketCheckAnswer, MarketCheckInput } from './messages.ts';

const { checkMarket } = proxyActivities<MarketCheckActivities>({
  startToCloseTimeout: '30 minutes',
  retry: { initialInterval: '1 second', maximumAttempts: 3 },
});

export async function marketCheck({ mints, ...how }: MarketCheckInput): Promise<MarketCheckAnswer> {
  const reports = [];
  const unknown = [];
  for (const mint of mints) {
    const report = await checkMarket({ mint, ...how });
    if (report) reports.push(report);
    else unknown.push(mint);
  }
  return { reports, unknown };
}
