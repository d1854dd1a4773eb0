export { claim } from './claim.ts';
export { claimJanitor } from './claim-janitor.ts';
export { claimNonce } from './claim-nonce.ts';
export { graduation } from './graduation.ts';
export { janitor } from './janitor.ts';
export { launch } from './launch.ts';
export { marketIndex } from './market-index.ts';
export { sweep } from './sweep.ts';
