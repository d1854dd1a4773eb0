import { createServer } from 'node:http';
import { once } from 'node:events';
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fork } from 'node:child_process';
import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { addressReason } from '../activities/reward/eligible-owners.ts';
import { withPauses } from '../activities/reward/with-pauses.ts';
import { tokenAccountOf } from '../chain/tokens/associated-account.ts';
import { createRpc, type Rpc } from '../chain/rpc/rpc.ts';
import { HOLDER_SOURCES } from '../chain/tokens/holder-source.ts';
import { median } from './statistics.ts';
import { wantsJson } from './bench-command.ts';

// CPU and event loop blocking. Run: node bench/holders.ts [--json]

const ACCOUNTS = 100_000;
const ROUNDS = 5;
/** Part of the accounts that are not their owner's associated one. */
const OTHERS = 0.05;
/** Takes half a minute. */
const PLANNED_ONCE = 1;
const MINT = Keypair.fromSeed(new Uint8Array(32).fill(1)).publicKey;
const MINTED = MINT.toBase58();

interface Figures {
  readonly what: string;
  readonly cpuMs: number;
  readonly blockedMs: number;
}

if (process.argv.includes('--node')) await serve();
else await measure(wantsJson('holders'));

async function serve(): Promise<void> {
  const bodies = { short: bodyOf(40), long: bodyOf(150) };
  const pages = { getProgramAccountsV2: programPages(), getTokenAccounts: indexPages() };
  const server = createServer((request, response) => {
    let asked = '';
    request.on('data', (chunk) => (asked += String(chunk)));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      const { method, params } = JSON.parse(asked || '{}') as { method?: string; params?: unknown };
      if (method === 'getSlot') return response.end('{"jsonrpc":"2.0","id":1,"result":100}');
      if (method === 'getProgramAccountsV2' || method === 'getTokenAccounts')
        return response.end(pages[method][nextOf(params)]);
      return response.end(asked.includes('"length":40') ? bodies.short : bodies.long);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
}

function nextOf(params: unknown): number {
  const { paginationKey, cursor } = (Array.isArray(params) ? params[1] : params) as Record<string, string | undefined>;
  return Number(paginationKey ?? cursor ?? 0);
}

/** 10,000 accounts each, and an empty last one. */
function programPages(): Buffer[] {
  return Array.from({ length: ACCOUNTS / 10_000 + 1 }, (_, page) => {
    const accounts = page < ACCOUNTS / 10_000 ? accountsOf(40, 10_000) : [];
    const key = accounts.length > 0 ? `"${page + 1}"` : 'null';
    return Buffer.from(
      `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":100},"value":{"accounts":[${accounts.join()}],"paginationKey":${key}}}}`,
    );
  });
}

/** 1,000 each. */
function indexPages(): Buffer[] {
  return Array.from({ length: ACCOUNTS / 1_000 + 1 }, (_, page) => {
    const accounts = Array.from({ length: page < ACCOUNTS / 1_000 ? 1_000 : 0 }, () => {
      const [address, owner] = [bs58.encode(randomBytes(32)), bs58.encode(randomBytes(32))];
      const amount = randomBytes(6).readUIntBE(0, 6);
      return `{"address":"${address}","mint":"${MINTED}","owner":"${owner}","amount":${amount},"delegated_amount":0,"frozen":false,"burnt":null}`;
    });
    const cursor = accounts.length > 0 ? `"cursor":"${page + 1}",` : '';
    const about = `"last_indexed_slot":100,"total":${accounts.length},"limit":1000`;
    return Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{${about},${cursor}"token_accounts":[${accounts.join()}]}}`);
  });
}

/** Token-2022; distinct owners. */
function bodyOf(bytes: number): Buffer {
  return Buffer.from(
    `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":100,"apiVersion":"3.0.6"},"value":[${accountsOf(bytes, ACCOUNTS).join()}]}}`,
  );
}

function accountsOf(bytes: number, count: number): string[] {
  return Array.from({ length: count }, () => {
    const data = Buffer.alloc(bytes);
    randomBytes(38).copy(data);
    if (bytes > 40) writeTax(data);
    return (
      `{"pubkey":"${accountOf(data.subarray(0, 32))}","account":{"lamports":2157600,"owner":"${TOKEN_2022_PROGRAM_ID.toBase58()}",` +
      `"data":["${data.toString('base64')}","base64"],"executable":false,"rentEpoch":18446744073709551615,"space":182}}`
    );
  });
}

/**
 * The first hash for every second owner, the next for a quarter, and so on, as associated addresses lie. One of 20 is
 * another address.
 */
function accountOf(owner: Uint8Array): string {
  if (Math.random() < OTHERS) return bs58.encode(randomBytes(32));
  const bump = 255 - Math.min(20, Math.floor(-Math.log2(Math.random())));
  const [tokens, maker] = [TOKEN_2022_PROGRAM_ID.toBuffer(), ASSOCIATED_TOKEN_PROGRAM_ID.toBuffer()];
  const seeds = [owner, tokens, MINT.toBuffer(), Uint8Array.of(bump), maker, Buffer.from('ProgramDerivedAddress')];
  return bs58.encode(createHash('sha256').update(Buffer.concat(seeds)).digest());
}

/** Immutable owner; every second one with tax. */
function writeTax(data: Buffer): void {
  data[133] = 2;
  data.writeUInt16LE(7, 134);
  data.writeUInt16LE(2, 138);
  data.writeUInt16LE(8, 140);
  data.writeBigUInt64LE(BigInt(randomBytes(1)[0]! % 2), 142);
}

async function measure(json: boolean): Promise<void> {
  const node = fork(import.meta.filename, ['--node']);
  try {
    const [port] = (await once(node, 'message')) as [number];
    const url = `http://127.0.0.1:${port}`;
    const rpc = createRpc({ endpoints: [url], timeoutMs: 60_000 });
    const token = { mint: MINT, tokenProgram: TOKEN_2022_PROGRAM_ID };
    const observation = { ...token, minContextSlot: 1, withOtherAccounts: true };
    const figures = [
      await figuresOf('GET /tokens/{mint}/holders: the 100 greatest', () => rpc.holders(token, 100)),
      await figuresOf('how many hold a coin', () => rpc.holders(token, 0)),
      await figuresOf('all holders, for an airdrop', () => rpc.holders(token)),
      ...(await ofSources(rpc)),
      await figuresOf('an observation', () => rpc.agreedHolders(observation)),
      await figuresOf('the last one, with the tax', () => rpc.agreedHolders({ ...observation, withTax: true })),
      await figuresOf('who of all can be paid, and where', () => judgeAll(), PLANNED_ONCE),
      await figuresOf('no reading, only the bytes', async () =>
        (await fetch(url, { method: 'POST', body: '' })).arrayBuffer(),
      ),
    ];
    if (json) return console.log(JSON.stringify({ bench: 'holders', accounts: ACCOUNTS, figures }));
    for (const { what, cpuMs, blockedMs } of figures)
      console.log(
        `${what.padEnd(46)} ${cpuMs.toFixed(0).padStart(5)} ms of CPU, event loop blocked ${blockedMs.toFixed(0)} ms`,
      );
  } finally {
    node.kill();
  }
}

async function ofSources(rpc: Rpc): Promise<Figures[]> {
  const question = { mint: MINT, tokenProgram: TOKEN_2022_PROGRAM_ID, minContextSlot: 0, most: 20_000 };
  const figures = [];
  for (const [name, source] of Object.entries(HOLDER_SOURCES))
    figures.push(
      await figuresOf(`a snapshot, HOLDER_SOURCE=${name}`, () => rpc.agreedHolders({ ...question, source })),
    );
  return figures;
}

async function judgeAll(): Promise<void> {
  const quote = { mint: MINT, tokenProgram: TOKEN_2022_PROGRAM_ID, decimals: 6 };
  const owners = Array.from({ length: ACCOUNTS }, () => bs58.encode(randomBytes(32)));
  await withPauses(owners, (owner) => addressReason(owner, MINT.toBase58(), new Set()));
  await withPauses(owners, (owner) => tokenAccountOf(quote, new PublicKey(owner)).toBase58());
}

async function figuresOf(what: string, read: () => Promise<unknown>, times = ROUNDS): Promise<Figures> {
  if (times > 1) await read();
  const rounds = [];
  for (let round = 0; round < times; round++) rounds.push(await readOnce(read));
  return {
    what,
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
    blockedMs: median(rounds.map(({ blockedMs }) => blockedMs)),
  };
}

async function readOnce(read: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  return { cpuMs: (user + system) / 1_000, blockedMs: delay.max / 1e6 };
}
