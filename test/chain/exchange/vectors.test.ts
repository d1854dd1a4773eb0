import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  amount0Of,
  amount1Of,
  claimableFees,
  liquidityOfAmount0,
  liquidityOfAmount1,
  runSwap,
  sqrtPriceAtTick,
  type SwapOutcome,
  type SwapPool,
  wrappingAdd128,
} from '../../../chain/exchange/pool-math.ts';

const Pair = Type.Tuple([Type.String(), Type.String()]);
const Vectors = Type.Object({
  init: Type.Object({
    order: Type.Union([Type.Literal('base=token0'), Type.Literal('base=token1')]),
    feePpm: Type.Integer(),
    protocolPpm: Type.Integer(),
    fundPpm: Type.Integer(),
    tickLower: Type.Integer(),
    tickUpper: Type.Integer(),
    sqrtLower: Type.String(),
    sqrtUpper: Type.String(),
    sqrtOpen: Type.String(),
    supply: Type.String(),
    positions: Type.Array(Type.Object({ who: Type.String(), amountMax: Type.String(), liquidity: Type.String() })),
  }),
  trades: Type.Array(
    Type.Object({
      zeroForOne: Type.Boolean(),
      exactIn: Type.Boolean(),
      amount: Type.String(),
      amountIn: Type.String(),
      amountOut: Type.String(),
      sqrtAfter: Type.String(),
      tickAfter: Type.Integer(),
      protocol: Pair,
      fund: Pair,
      growth: Pair,
    }),
  ),
  collected: Type.Object({ creator: Pair, platform: Pair }),
});

function readVectors(name: string) {
  const path = new URL(`../../fixtures/vectors/${name}.json`, import.meta.url);
  return Value.Parse(Vectors, JSON.parse(readFileSync(path, 'utf8')));
}

type Trade = ReturnType<typeof readVectors>['trades'][number];

/** A pool with its totals, as the vectors report them after each trade. */
interface Ledger {
  pool: SwapPool;
  protocol: [bigint, bigint];
  fund: [bigint, bigint];
  growth: [bigint, bigint];
}

function apply(ledger: Ledger, outcome: SwapOutcome, inputIndex: 0 | 1): void {
  const { sqrtPriceX64, tick, liquidity } = outcome;
  ledger.pool = { ...ledger.pool, sqrtPriceX64, tick, liquidity };
  ledger.protocol[inputIndex] += outcome.protocolFee;
  ledger.fund[inputIndex] += outcome.fundFee;
  ledger.growth[inputIndex] = wrappingAdd128(ledger.growth[inputIndex], outcome.feeGrowthX64);
}

function reported(ledger: Ledger, trade: Trade, outcome: SwapOutcome) {
  return {
    zeroForOne: trade.zeroForOne,
    exactIn: trade.exactIn,
    amount: trade.amount,
    amountIn: String(outcome.amountIn),
    amountOut: String(outcome.amountOut),
    sqrtAfter: String(ledger.pool.sqrtPriceX64),
    tickAfter: ledger.pool.tick,
    protocol: ledger.protocol.map(String),
    fund: ledger.fund.map(String),
    growth: ledger.growth.map(String),
  };
}

describe.each(['clmm-gt-tier1', 'clmm-lt-tier2'])('%s, computed by the real program', (name) => {
  const { init, trades, collected } = readVectors(name);
  const range = { lower: BigInt(init.sqrtLower), upper: BigInt(init.sqrtUpper) };
  const baseIsToken0 = init.order === 'base=token0';
  const total = init.positions.reduce((sum, position) => sum + BigInt(position.liquidity), 0n);

  test('prices at the ticks of its range are equal', () => {
    expect(sqrtPriceAtTick(init.tickLower)).toBe(range.lower);
    expect(sqrtPriceAtTick(init.tickUpper)).toBe(range.upper);
    expect(BigInt(init.sqrtOpen)).toBe(baseIsToken0 ? range.lower : range.upper);
  });

  test('liquidity of both positions is equal and takes no more than was offered', () => {
    for (const position of init.positions) {
      const offered = BigInt(position.amountMax);
      const liquidity = baseIsToken0 ? liquidityOfAmount0(range, offered) : liquidityOfAmount1(range, offered);
      const taken = baseIsToken0 ? amount0Of(range, liquidity, 'up') : amount1Of(range, liquidity, 'up');
      expect(liquidity).toBe(BigInt(position.liquidity));
      expect(taken).toBeLessThanOrEqual(offered);
    }
  });

  test('all 80 trades, fees and growths and both collected amounts are equal to the unit', () => {
    const ledger: Ledger = {
      pool: {
        sqrtPriceX64: BigInt(init.sqrtOpen),
        tick: baseIsToken0 ? init.tickLower : init.tickUpper,
        liquidity: baseIsToken0 ? total : 0n,
        ticks: [
          { tick: init.tickLower, liquidityNet: total },
          { tick: init.tickUpper, liquidityNet: -total },
        ],
      },
      protocol: [0n, 0n],
      fund: [0n, 0n],
      growth: [0n, 0n],
    };
    const results = trades.map((trade) => {
      const exact = trade.exactIn ? 'in' : 'out';
      const order = { zeroForOne: trade.zeroForOne, exact, amount: BigInt(trade.amount) } as const;
      const result = runSwap(ledger.pool, init, order);
      if (result.fill !== 'filled') throw new Error(`${result.fill}: ${JSON.stringify(trade)}`);
      const { outcome } = result;
      apply(ledger, outcome, trade.zeroForOne ? 0 : 1);
      return reported(ledger, trade, outcome);
    });
    expect(trades).toHaveLength(80);
    expect(results).toEqual(trades);
    const claimables = init.positions.map(({ liquidity }) =>
      ledger.growth.map((growth) => String(claimableFees(0n, growth, 0n, BigInt(liquidity)))),
    );
    expect(claimables).toEqual([collected.creator, collected.platform]);
  });
});
