/** Raydium CLMM arithmetic in integers, equal to the program to the unit. */
export * from './pool-math/amounts.ts';
export * from './pool-math/fees.ts';
export * from './pool-math/integers.ts';
export * from './pool-math/swap-step.ts';
export * from './pool-math/swap.ts';
export * from './pool-math/ticks.ts';
export * from './pool-math/transfer-fee.ts';
