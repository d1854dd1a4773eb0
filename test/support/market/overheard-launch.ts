import { type LaunchUnderTest, openTrader, type Trader } from '../exchange/launched-pool.ts';
import type { MarketFixture, MarketIndex } from './market-platform.ts';
import { type OverheardRpc, overhearRpc } from './overheard-rpc.ts';
import { type Stored, storedOf } from './stored.ts';

/** A launch of its own, settled, with a trader, and an index whose calls are overheard from then on. */
export interface OverheardLaunch {
  readonly launch: LaunchUnderTest;
  readonly trader: Trader;
  readonly stored: Stored;
  readonly index: MarketIndex;
  readonly heard: OverheardRpc;
}

export async function overheardLaunch(ground: MarketFixture): Promise<OverheardLaunch> {
  const heard = overhearRpc(ground.localnet.rpcUrl);
  const index = ground.index({ rpc: heard.rpc });
  const launch = await ground.launch();
  const stored = storedOf(ground, launch);
  const trader = await openTrader(launch);
  await stored.settle(index);
  heard.forget();
  return { launch, trader, stored, index, heard };
}
