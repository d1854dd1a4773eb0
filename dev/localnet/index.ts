import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callersAt } from '../desk/refusal.ts';
import { createLocalServer } from '../local-server.ts';
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
import { answerHttp } from './server/http-server.ts';
import { closeServer, listenOnPair } from './server/ports.ts';
import { SlotClock } from './server/slot-clock.ts';
import { ChainView } from './server/view.ts';
import { SubscriptionHub } from './websocket/hub.ts';
import { openWebsocket } from './websocket/websocket-server.ts';
import { SlotLog } from './yellowstone/slot-log.ts';
import { serveYellowstone, type YellowstoneServer } from './yellowstone/yellowstone-server.ts';

export type { Account, Address } from './ledger/account.ts';
export { ChainControl, type SkipSlotRequest, type SkipSlotResult } from './server/control.ts';

export interface LocalnetOptions {
  /** RPC; the websocket uses the next. 0 = any free pair. */
  readonly port?: number;
  /** Default 127.0.0.1; a container listens on all. */
  readonly host?: string;
  /** 0 = only on command. Default 400. */
  readonly slotMs?: number;
  /** Processed to finalized, at most 31 (default). */
  readonly slotsToFinalize?: number;
  /** Absent: in memory. */
  readonly dataDir?: string;
  readonly programsDir?: string;
  /** ms. Default: the system's clock. */
  readonly now?: () => number;
  /** Of every response; absent: none. */
  readonly instanceId?: string | undefined;
  /** Absent: none. */
  readonly stream?: StreamOptions;
}

export interface StreamOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Default: any token. */
  readonly token?: string;
  /** For replay; default 3,000. */
  readonly keptSlots?: number;
}

export interface Localnet {
  /** `http://127.0.0.1:port`; other endpoints at `/rpc/<name>`. */
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly port: number;
  readonly genesisHash: string;
  readonly faucet: Address;
  readonly programs: Readonly<Record<string, Address>>;
  readonly control: ChainControl;
  /** Null without a stream. */
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

/** @throws if the port is taken or another node uses the folder */
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
  const everything = new ChainView(ledger, noFaults());
  const websocket = openWebsocket(everything, new SubscriptionHub(everything));
  const callers = callersAt(options.host);
  const request = answerHttp({ contextOf, faultsOf: (endpoint) => faults.of(endpoint), now });
  const http = createLocalServer(callers, { instanceId: options.instanceId, request, upgrade: websocket.upgrade });
  const second = createLocalServer(callers, { upgrade: websocket.upgrade });
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
      websocket.close();
      await stream?.close();
      await Promise.all([closeServer(http), closeServer(second)]);
      history.close();
    },
  };
}
