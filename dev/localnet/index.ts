import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { toBase58 } from './encoding/base58.ts';
import { Engine } from './engine/engine.ts';
import { deployPrograms } from './engine/programs.ts';
import type { Address } from './ledger/account.ts';
import { History } from './ledger/history.ts';
import { SLOTS_TO_FINALIZE } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import type { RpcContext } from './rpc/context.ts';
import { ChainControl } from './server/control.ts';
import { Faucet } from './server/faucet.ts';
import { Faults, noFaults } from './server/faults.ts';
import { createHttpServer } from './server/http-server.ts';
import { closeServer, listenOnPair } from './server/ports.ts';
import { SlotClock } from './server/slot-clock.ts';
import { ChainView } from './server/view.ts';
import { SubscriptionHub } from './websocket/hub.ts';
import { serveWebsocket } from './websocket/websocket-server.ts';
import { SlotLog } from './yellowstone/slot-log.ts';
import { serveYellowstone, type YellowstoneServer } from './yellowstone/yellowstone-server.ts';

export type { Account, Address } from './ledger/account.ts';
export { ChainControl, type SkipSlotRequest, type SkipSlotResult } from './server/control.ts';

/** How a local chain is started. */
export interface LocalnetOptions {
  /** Port of RPC and websocket; the websocket is on the next one too. 0 = any free pair. */
  readonly port?: number;
  /** Address to listen on; default 127.0.0.1. In a container all of them. */
  readonly host?: string;
  /** ms per slot; 0 = slots only move when told to. Default 400. */
  readonly slotMs?: number;
  /** Slots from processed to finalized; default 31, as on the real chain, and no more. */
  readonly slotsToFinalize?: number;
  /** Folder the chain lives in. Absent: in memory only. */
  readonly dataDir?: string;
  /** Folder with program ELFs to deploy at their mainnet ids. */
  readonly programsDir?: string;
  /** Unix time in ms. Default: the system's clock. */
  readonly now?: () => number;
  /** The stream by Yellowstone's protocol; absent: none is served. */
  readonly stream?: StreamOptions;
}

/** How the chain's stream is served. */
export interface StreamOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** What clients must send as their token; default: anything will do. */
  readonly token?: string;
  /** Slots that can be replayed, as long as the process lives; default 3,000. */
  readonly keptSlots?: number;
}

/** A running local chain. */
export interface Localnet {
  /** `http://127.0.0.1:port`; other endpoints of the same chain are at `/rpc/<name>`. */
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly port: number;
  readonly genesisHash: string;
  /** Address that airdrops come from. */
  readonly faucet: Address;
  /** Ids of the deployed programs by file name. */
  readonly programs: Readonly<Record<string, Address>>;
  readonly control: ChainControl;
  /** `http://127.0.0.1:port` of the stream; null where none is served. */
  readonly streamUrl: string | null;
  close(): Promise<void>;
}

function storedOrNew(history: History, key: string): Uint8Array {
  const stored = history.meta(key);
  if (stored !== null) return Buffer.from(stored, 'hex');
  const fresh = randomBytes(32);
  history.setMeta(key, fresh.toString('hex'));
  return fresh;
}

function openHistory(dataDir: string | undefined): History {
  if (dataDir === undefined) return new History(':memory:');
  mkdirSync(dataDir, { recursive: true });
  return new History(join(dataDir, 'chain.sqlite'));
}

/** Slots that the stream can replay: twenty minutes. */
const KEPT_SLOTS = 3_000;

async function openStream(
  view: ChainView,
  { stream, host, now = Date.now }: LocalnetOptions,
): Promise<YellowstoneServer | null> {
  if (stream === undefined) return null;
  const { port, token, keptSlots = KEPT_SLOTS } = stream;
  const log = new SlotLog(view, keptSlots);
  return serveYellowstone({
    log,
    port,
    now,
    ...(host !== undefined && { host }),
    ...(token !== undefined && { token }),
  });
}

/**
 * Starts a local chain and its node.
 * @throws Error when the port is taken, or the data folder is in use by another node
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const { port = 0, slotMs = 400, slotsToFinalize = SLOTS_TO_FINALIZE, now = Date.now } = options;
  const history = openHistory(options.dataDir);
  const genesisHash = toBase58(storedOrNew(history, 'genesisHash'));
  const faucet = await Faucet.fromSeed(storedOrNew(history, 'faucetSeed'));
  const engine = new Engine();
  const programs = options.programsDir === undefined ? {} : deployPrograms(engine, options.programsDir);
  const ledger = openLedger({ engine, history, faucet: faucet.address, slotsToFinalize, now });
  const faults = new Faults();
  const clock = new SlotClock(slotMs, () => control.tick());
  const control = new ChainControl({ ledger, clock, faults, faucet, now });
  const contextOf = (endpoint: string): RpcContext => {
    return { view: new ChainView(ledger, faults.of(endpoint)), endpoint, genesisHash, faucet, control };
  };
  const http = createHttpServer({ contextOf, faultsOf: (endpoint) => faults.of(endpoint), now });
  const second = createServer();
  const everything = new ChainView(ledger, noFaults());
  const closeWebsockets = serveWebsocket([http, second], everything, new SubscriptionHub(everything));
  const bound = await listenOnPair(http, second, port, options.host);
  const stream = await openStream(everything, options);
  if (stream !== null) control.serveStream(stream.faults);
  clock.start();
  return {
    rpcUrl: `http://127.0.0.1:${bound}`,
    wsUrl: `ws://127.0.0.1:${bound + 1}`,
    port: bound,
    genesisHash,
    faucet: faucet.address,
    programs,
    control,
    streamUrl: stream?.url ?? null,
    close: async () => {
      clock.stop();
      closeWebsockets();
      await stream?.close();
      await Promise.all([closeServer(http), closeServer(second)]);
      history.close();
    },
  };
}
