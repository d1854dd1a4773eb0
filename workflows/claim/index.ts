export { claim } from './claim.ts';
export { claimJanitor } from './janitor.ts';
export { claimNonce } from './nonce.ts';
