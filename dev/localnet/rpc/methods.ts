import { accountMethods } from './accounts.ts';
import { blockMethods } from './blocks.ts';
import { bundleMethods } from './bundles.ts';
import { clusterMethods } from './cluster.ts';
import type { RpcMethod } from './context.ts';
import { controlMethods } from './control-methods.ts';
import { digitalAssetMethods } from './digital-assets.ts';
import { feeMethods } from './fees.ts';
import { programAccountMethods } from './program-accounts.ts';
import { sendMethods } from './send.ts';
import { simulateMethods } from './simulate.ts';
import { supplyMethods } from './supply.ts';
import { tokenMethods } from './tokens.ts';
import { transactionMethods } from './transactions.ts';

/** A map: a name like "constructor" finds nothing. */
export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  [
    accountMethods,
    blockMethods,
    bundleMethods,
    clusterMethods,
    controlMethods,
    digitalAssetMethods,
    feeMethods,
    programAccountMethods,
    sendMethods,
    simulateMethods,
    supplyMethods,
    tokenMethods,
    transactionMethods,
  ].flatMap((group) => Object.entries(group)),
);

export const NAMED_PARAMS: ReadonlySet<string> = new Set(Object.keys(digitalAssetMethods));

export function isControl(method: string): boolean {
  return method.startsWith('localnet_');
}
