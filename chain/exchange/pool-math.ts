/**
 * Concentrated-liquidity arithmetic of Raydium CLMM in whole numbers, equal to the program to the unit. No dependency;
 * shared by both exchange adapters.
 */
export * from './pool-math/amounts.ts';
export * from './pool-math/fees.ts';
export * from './pool-math/integers.ts';
export * from './pool-math/swap-step.ts';
export * from './pool-math/swap.ts';
export * from './pool-math/ticks.ts';
export * from './pool-math/transfer-fee.ts';
