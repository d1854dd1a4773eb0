import type { FetchOptions, SimpleAdapter } from '../../adapters/types';
import { CHAIN } from '../../helpers/chains';
import { getEnv } from '../../helpers/env';
import { httpGet, httpPost } from '../../utils/fetchURL';
import { bookCollections, isRaydiumCollection, LABEL, readCollections } from './collections';

// The deployment: replace these three before the pull request.
const API = 'https://slipway.site/api/public/v1';
const START = '2026-11-01';
// Share of revenue that buys the platform token and burns it: BUYBACK_SHARE_BPS of the platform. `quoteMint`: quote token
// of the platform token, where there is one; revenue in others buys nothing.
const BUYBACK = { bps: 5_000n, quoteMint: null };

const fetch = async (options: FetchOptions) => {
  const collected = await readCollections(
    {
      isCollection: isRaydiumCollection,
      api: async (path) => (await httpGet(`${API}${path}`)).data,
      rpc: async (method, params) => {
        const reply = await httpPost(getEnv('SOLANA_RPC'), { jsonrpc: '2.0', id: 1, method, params });
        if (reply.error) throw new Error(`${method} was refused: ${JSON.stringify(reply.error)}`);
        return reply.result;
      },
    },
    { from: options.startTimestamp, until: options.endTimestamp },
  );
  return bookCollections(collected, options.createBalances, BUYBACK);
};

const methodology = {
  Fees: 'Quote-token fees collected from the locked liquidity positions behind each launch, read from the chain: every collection that the platform signs. Launched tokens that a collection pays beside them are not counted.',
  Revenue: 'The part that reaches the platform treasury.',
  ProtocolRevenue: 'Revenue without the share that buys the platform token.',
  HoldersRevenue:
    'Share of the revenue that is set aside, when it is collected, to buy the platform token and burn it.',
  SupplySideRevenue: 'The parts that creators claim and that holders of reward coins are paid.',
};

const breakdownMethodology = {
  Fees: { [LABEL.fees]: 'Fees that locked positions paid in the quote token of their pool.' },
  Revenue: {
    [LABEL.treasury]: 'Fees that the treasury keeps.',
    [LABEL.buybacks]: 'Fees set aside to buy the platform token and burn it.',
  },
  ProtocolRevenue: { [LABEL.treasury]: 'Fees that the treasury keeps.' },
  HoldersRevenue: { [LABEL.buybacks]: 'Fees set aside to buy the platform token and burn it.' },
  SupplySideRevenue: { [LABEL.others]: 'Fees that creators and holders of reward coins get.' },
};

const adapter: SimpleAdapter = {
  version: 2,
  pullHourly: true,
  // The exchange reports the fees of the same swaps.
  doublecounted: true,
  fetch,
  chains: [CHAIN.SOLANA],
  start: START,
  methodology,
  breakdownMethodology,
};

export default adapter;
