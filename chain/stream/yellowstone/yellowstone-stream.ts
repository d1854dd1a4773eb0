import { Client, type ClientDuplexStream, credentials, type ServiceError, Metadata, status } from '@grpc/grpc-js';
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { blockTimeOf } from '../../../domain/block-time.ts';
import type { ChainStream, OpenStream, StreamEvent, StreamWanted } from '../chain-stream.ts';
import {
  AccountsFilter,
  COMMITMENTS,
  Empty,
  SLOT_STATUSES,
  SlotsFilter,
  SubscribeRequest,
  type SubscribeRequestValue,
  type SubscribeUpdateValue,
  TransactionsFilter,
} from './messages.ts';
import { GEYSER } from './service.ts';
import { toResponse } from './transaction-response.ts';

export interface YellowstoneOptions {
  /** `http://` without encryption. */
  readonly url: string;
  /** Sent as `x-token`. */
  readonly token?: string | undefined;
  /** No block or slot so long: dead. */
  readonly silenceMs?: number;
}

/** Slots arrive several times a second. */
const SILENCE_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;
/** Accounts can hold 10 MB. */
const MOST_UPDATE_BYTES = 64 * 1024 * 1024;

/** Does not reconnect: the caller knows where to resume. */
export function createYellowstoneStream(options: YellowstoneOptions): ChainStream {
  const { protocol, hostname, port, host } = new URL(options.url);
  const isPlain = protocol === 'http:';
  const target = `${hostname}:${port || (isPlain ? '80' : '443')}`;
  const client = new Client(target, isPlain ? credentials.createInsecure() : credentials.createSsl(), {
    'grpc.max_receive_message_length': MOST_UPDATE_BYTES,
    'grpc.keepalive_time_ms': SILENCE_MS,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 2_000,
  });
  const metadata = new Metadata();
  if (options.token !== undefined) metadata.set('x-token', options.token);
  return {
    host,
    firstAvailable: () => firstAvailable(client, metadata),
    open: (wanted, fromSlot, receive) => {
      const { path, requestSerialize, responseDeserialize } = GEYSER.subscribe;
      // An unreadable update must not end the stream.
      const read = (bytes: Buffer): Told => outcomeOf(() => responseDeserialize(bytes));
      const call = client.makeBidiStreamRequest(path, requestSerialize, read, metadata);
      return followCall(call, { wanted, fromSlot, receive, silenceMs: options.silenceMs ?? SILENCE_MS });
    },
    close: () => client.close(),
  };
}

function firstAvailable(client: Client, metadata: Metadata): Promise<number | null> {
  const { path, requestSerialize, responseDeserialize } = GEYSER.subscribeReplayInfo;
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      Empty.of({}),
      metadata,
      { deadline },
      (error, answer) => {
        // Older servers cannot replay.
        if (error?.code === status.UNIMPLEMENTED) resolve(null);
        else if (error) reject(error);
        else resolve(answer?.firstAvailable ?? null);
      },
    );
  });
}

interface Following {
  readonly wanted: StreamWanted;
  readonly fromSlot: number | null;
  readonly receive: (event: StreamEvent) => void;
  readonly silenceMs: number;
}

type Told = { readonly update: SubscribeUpdateValue } | { readonly error: unknown };

type Call = ClientDuplexStream<SubscribeRequestValue, Told>;

function outcomeOf(read: () => SubscribeUpdateValue): Told {
  try {
    return { update: read() };
  } catch (error) {
    return { error };
  }
}

function followCall(call: Call, { wanted, fromSlot, receive, silenceMs }: Following): OpenStream {
  const ended = Promise.withResolvers<Error>();
  let silence: NodeJS.Timeout | undefined;
  let isEnded = false;
  const end = (reason: Error): void => {
    isEnded = true;
    clearTimeout(silence);
    ended.resolve(reason);
    call.cancel();
  };
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => end(new Error(`the stream said nothing for ${silenceMs} ms`)), silenceMs);
  };
  listen();
  call.on('data', (told: Told) => {
    if (isEnded) return;
    try {
      if ('error' in told) throw told.error;
      // Not pings: a server sends them even if its validator has stalled.
      if (told.update.blockMeta ?? told.update.slot) listen();
      for (const event of eventsOf(told.update)) receive(event);
    } catch (error) {
      receive({ kind: 'unreadable', error });
    }
  });
  call.on('error', (error: ServiceError) => end(error));
  call.on('end', () => end(new Error('the server ended the stream')));
  call.write(requestFor(wanted, fromSlot));
  return {
    change: (next) => void call.write(requestFor(next, null)),
    ended: ended.promise,
    close: () => end(new Error('the stream was closed')),
  };
}

function requestFor({ mentioned, accounts }: StreamWanted, fromSlot: number | null): SubscribeRequestValue {
  const transactions = TransactionsFilter.of({ vote: false, failed: false, accountInclude: mentioned });
  // An empty filter matches everything.
  return SubscribeRequest.of({
    commitment: COMMITMENTS.confirmed,
    transactions: new Map(mentioned.length > 0 ? [['mentioned', transactions]] : []),
    accounts: new Map(accounts.length > 0 ? [['accounts', AccountsFilter.of({ account: accounts })]] : []),
    slots: new Map([['slots', SlotsFilter.of({})]]),
    blocksMeta: new Map([['blocks', {}]]),
    fromSlot,
  });
}

function eventsOf(update: SubscribeUpdateValue): StreamEvent[] {
  if (update.transaction?.transaction) {
    const { slot, transaction } = update.transaction;
    const signature = bs58.encode(transaction.signature);
    return [
      { kind: 'transaction', slot, index: transaction.index, signature, response: toResponse(slot, transaction) },
    ];
  }
  if (update.account?.account) return [accountEvent(update.account.slot, update.account.account)];
  if (update.blockMeta) {
    const { slot, parentSlot, blockTime } = update.blockMeta;
    return [
      { kind: 'block', slot, parent: parentSlot, blockTime: blockTimeOf(blockTime && Number(blockTime.timestamp)) },
    ];
  }
  if (update.slot) return slotEvent(update.slot.slot, update.slot.status);
  return [];
}

type AccountOf = NonNullable<NonNullable<SubscribeUpdateValue['account']>['account']>;

function accountEvent(slot: number, info: AccountOf): StreamEvent {
  const { lamports, owner, data, executable, txnSignature } = info;
  const account = {
    lamports: Number(lamports),
    owner: new PublicKey(owner),
    data: Buffer.from(data),
    executable,
    rentEpoch: Number(info.rentEpoch),
  };
  return {
    kind: 'account',
    slot,
    address: bs58.encode(info.pubkey),
    account: lamports === 0n ? null : account,
    signature: txnSignature && bs58.encode(txnSignature),
  };
}

function slotEvent(slot: number, status: number): StreamEvent[] {
  if (status === SLOT_STATUSES.confirmed) return [{ kind: 'slot', slot, status: 'confirmed' }];
  if (status === SLOT_STATUSES.finalized) return [{ kind: 'slot', slot, status: 'finalized' }];
  return status === SLOT_STATUSES.dead ? [{ kind: 'slot', slot, status: 'dead' }] : [];
}
