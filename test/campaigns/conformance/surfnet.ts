import { createRequire } from 'node:module';
import Type from 'typebox';
import { Value } from 'typebox/value';

/** Surfpool's package for this platform; optional, because 43 MB are for those only who fork a cluster. */
const PACKAGE = '@solana/surfpool-linux-x64-gnu';

/** Its RPC does not answer unless its events are taken so often, in ms. */
const DRAIN_EVERY_MS = 30;

const SLOT_MS = 200;

/** What is used of the native module; it comes without types. */
interface SurfpoolModule {
  readonly Surfnet: {
    startWithConfig(config: {
      readonly offline: boolean;
      readonly remoteRpcUrl: string;
      readonly blockProductionMode: 'clock' | 'transaction' | 'manual';
      readonly slotTimeMs: number;
    }): { readonly rpcUrl: string; drainEvents(): unknown };
  };
}

const ModuleShape = Type.Object({ Surfnet: Type.Unknown() });

/** A fork of a cluster on loopback. */
export interface Fork {
  readonly rpcUrl: string;
  close(): void;
}

/**
 * Forks the cluster behind an RPC address: accounts and programs are fetched when they are first used, everything else
 * happens here. The call blocks the process until the cluster has answered. Throws when surfpool is not installed or the
 * cluster does not answer.
 */
export function startFork(remoteRpcUrl: string): Fork {
  const { Surfnet } = loadSurfpool();
  const config = { offline: false, remoteRpcUrl, blockProductionMode: 'clock', slotTimeMs: SLOT_MS } as const;
  const surfnet = Surfnet.startWithConfig(config);
  const timer = setInterval(() => surfnet.drainEvents(), DRAIN_EVERY_MS);
  // The fork itself has no end but that of its process.
  return { rpcUrl: surfnet.rpcUrl, close: () => clearInterval(timer) };
}

/** Whether this machine has surfpool. */
export function hasSurfpool(): boolean {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
    return true;
  } catch {
    return false;
  }
}

function loadSurfpool(): SurfpoolModule {
  if (!hasSurfpool()) throw new Error(`--fork needs ${PACKAGE}, an optional dependency for Linux on x64`);
  const module: unknown = createRequire(import.meta.url)(PACKAGE);
  if (!Value.Check(ModuleShape, module)) throw new Error(`${PACKAGE} is another version than 1.5.0`);
  return module as SurfpoolModule;
}
