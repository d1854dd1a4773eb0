import { Keypair } from '@solana/web3.js';
import type { InstructionGroup } from '../../../../chain/exchange/exchange.ts';
import { decreaseLiquidityInstruction } from '../../../../chain/exchange/raydium/instructions/collect.ts';
import { openPositionInstruction } from '../../../../chain/exchange/raydium/instructions/open-position.ts';
import { launchedPool } from '../../../../chain/exchange/raydium/launch.ts';
import type { LaunchUnderTest, Trader } from '../launched-pool.ts';
import { balances } from './collecting.ts';

/** A position that a trader can open and withdraw, and its NFT's mint, which must sign the opening. */
export interface StrangersPosition {
  readonly open: InstructionGroup;
  readonly withdraw: InstructionGroup;
  readonly mint: Keypair;
}

const LIQUIDITY = 1_000_000_000_000n;

/** From so many ticks below the present price to as many above it, with a trader's own tokens. */
export async function strangersPosition(
  launch: LaunchUnderTest,
  trader: Trader,
  [below, above]: readonly [number, number] = [1_200, 1_200],
): Promise<StrangersPosition> {
  const { tick } = await launch.state();
  const near = Math.floor(tick / 120) * 120;
  const mint = Keypair.generate();
  const { publicKey } = trader.wallet;
  const { base, quote, plan } = launch.request;
  const baseIsFirst = plan.opening.baseIsToken0;
  const [account0, account1] = baseIsFirst
    ? [trader.baseAccount, trader.quoteAccount]
    : [trader.quoteAccount, trader.baseAccount];
  const [amount0Max = 0n, amount1Max = 0n] = await balances(launch, [account0, account1]);
  const place = { pool: launchedPool({ ...launch.request, base, quote }), positionMint: mint.publicKey };
  const range = { tickLower: near - below, tickUpper: near + above };
  const opening = openPositionInstruction({
    ...place,
    ...range,
    payer: publicKey,
    owner: publicKey,
    liquidity: LIQUIDITY,
    amount0Max,
    amount1Max,
    account0,
    account1,
  });
  const withdrawal = decreaseLiquidityInstruction(
    { ...place, ...range, holder: publicKey, recipient0: account0, recipient1: account1 },
    { liquidity: LIQUIDITY, amount0Min: 0n, amount1Min: 0n },
  );
  const group = (instruction: typeof opening) => ({
    instructions: [instruction],
    signers: [],
    computeUnits: 400_000,
    lookupAddresses: [],
  });
  return { mint, open: group(opening), withdraw: group(withdrawal) };
}
