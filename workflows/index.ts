export * from './airdrop/airdrop.ts';
export * from './buyback/buyback.ts';
export * from './claim/index.ts';
export * from './fee-sweep/fee-sweep.ts';
export * from './launch/index.ts';
export * from './market/index.ts';
export * from './restock/restock.ts';
export * from './reward/index.ts';
