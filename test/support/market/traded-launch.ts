import { insertIntake } from '../../../db/launch/launch-intake.ts';
import { type LaunchUnderTest, openTrader, swap } from '../exchange/launched-pool.ts';
import { groupOf, transferInstruction } from '../exchange/test-chain.ts';
import { intakeOf, launchTerms } from '../launch/launch-rows.ts';
import type { MarketFixture } from './market-platform.ts';
import { quoteTokens, type Stored, storedOf } from './stored.ts';

/** A launch with a trader in its pool, and what is stored of it. */
export interface TradedLaunch {
  readonly mint: string;
  readonly stored: Stored;
  /** Buys for so many whole quote tokens. */
  readonly buy: (whole: bigint) => Promise<unknown>;
  /** Moves so many parts of a thousand of the trader's tokens into the base vault, as a stranger's gift. */
  readonly giveToVault: (perMille: bigint) => Promise<unknown>;
  /** Records the launch as the average asks for it: when it was, and at which price it opened. */
  readonly record: () => Promise<void>;
}

/** Records the launch as averages ask for it: when it was, and at which price it opened. */
export async function recordLaunch(ground: Pick<MarketFixture, 'db' | 'now'>, { request }: LaunchUnderTest) {
  const terms = launchTerms({ opening: request.plan.opening });
  const mint = request.base.mint.toBase58();
  await insertIntake(ground.db, intakeOf({ ...terms, addresses: { ...terms.addresses, mint } }));
  const launchedAt = new Date(ground.now());
  await ground.db.updateTable('launches').set({ launchedAt }).where('mint', '=', mint).execute();
}

/** Launches a token in a pool of its own, and funds a trader. */
export async function tradedLaunch(ground: MarketFixture): Promise<TradedLaunch> {
  const launch = await ground.launch();
  const mint = launch.request.base.mint.toBase58();
  const trader = await openTrader(launch);
  return {
    mint,
    stored: storedOf(ground, launch),
    buy: (whole) => swap(launch, trader, { side: 'buy', exact: 'in', amount: quoteTokens(whole) }),
    async giveToVault(perMille) {
      const { chain, request } = launch;
      const { vault0, vault1, token0 } = await launch.state();
      const vault = token0.equals(request.base.mint) ? vault0 : vault1;
      const amount = ((await chain.balance(trader.baseAccount)) * perMille) / 1_000n;
      const { publicKey } = trader.wallet;
      const gift = transferInstruction(request.base, trader.baseAccount, vault, publicKey, amount);
      return chain.succeed(trader.wallet, groupOf([gift]));
    },
    record: () => recordLaunch(ground, launch),
  };
}
