export { graduation } from './graduation.ts';
export { holderCount } from './holder-count.ts';
export { marketCheck } from './check.ts';
export { marketIndex } from './market-index.ts';
