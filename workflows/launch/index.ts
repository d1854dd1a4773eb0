export { emptyLaunchWallets } from './empty-wallets.ts';
export { launchJanitor } from './janitor.ts';
export { launch } from './launch.ts';
