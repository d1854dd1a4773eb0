import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDecoderPool, type DecoderPool } from '../../../../chain/storage/decoder/decoder-pool.ts';
import type { DecoderLimits } from '../../../../chain/storage/decoder/start-decoder.ts';
import { OURSELVES } from '../../../../domain/places.ts';
import { image } from '../../../support/images.ts';
import { onPath } from '../../../support/on-path.ts';

const png = { type: 'image/png', bytes: await image('png') } as const;

/** Takes many times longer than a millisecond. */
const large = { type: 'image/jpeg', bytes: await image('jpeg', 1_024, 1_024) } as const;

const ENOUGH: DecoderLimits = { mostMemoryBytes: 1_000_000_000, mostCpuMs: 60_000, longestMs: 600_000 };

let pool: DecoderPool | undefined;
afterEach(() => pool?.close());

function poolWith(limits: Partial<DecoderLimits>): DecoderPool {
  pool = createDecoderPool({ places: { inAll: 1 }, limits: { ...ENOUGH, ...limits } });
  return pool;
}

/** Sends the signal to the new decoder once it has begun with the large picture. */
async function decodingBeside(signal: NodeJS.Signals) {
  const others = children();
  const decoders = poolWith({});
  await decoders.normalise(png, OURSELVES);
  const decoder = children().find((pid) => !others.includes(pid));
  if (decoder === undefined) throw new Error('no decoder process was started');
  const decoding = decoders.normalise(large, OURSELVES);
  process.kill(decoder, signal);
  return decoding;
}

/** Process ids (proc(5), `task/[tid]/children`). */
function children(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .map(Number)
    .filter((pid) => pid > 0);
}

/** Process group (proc(5), `stat`, field 5). */
function groupOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[2]);
}

describe('a picture that ends its decoder is refused in words', () => {
  it('because it takes too much memory', async () => {
    await expect(poolWith({ mostMemoryBytes: 1 }).normalise(png, OURSELVES)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'logo takes too much memory to be decoded',
    });
  });

  it('because it takes too long', async () => {
    await expect(poolWith({ mostCpuMs: -1 }).normalise(png, OURSELVES)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'logo takes too long to be decoded',
    });
  });

  it('and the next picture has a decoder again', async () => {
    const limits = { ...ENOUGH, mostCpuMs: -1 };
    const decoders = createDecoderPool({ places: { inAll: 1 }, limits });
    pool = decoders;
    await expect(decoders.normalise(png, OURSELVES)).rejects.toThrow('takes too long');
    limits.mostCpuMs = ENOUGH.mostCpuMs;
    await expect(decoders.normalise(png, OURSELVES)).resolves.toMatchObject({ width: 64, height: 48 });
  });
});

describe('a client that sends many costly pictures', () => {
  it('delays the picture of another client by one of them', async () => {
    const decoders = poolWith({});
    const done: string[] = [];
    const decode = async (client: string, picture: typeof png | typeof large) => {
      await decoders.normalise(picture, { client });
      done.push(client);
    };
    await Promise.all([...Array.from({ length: 4 }, () => decode('many', large)), decode('one', png)]);
    expect(done).toEqual(['many', 'one', 'many', 'many', 'many']);
  });
});

describe('a machine that has no time for a picture', () => {
  it('is no fault of the picture: it may be sent again', async () => {
    await expect(poolWith({ longestMs: 0 }).normalise(large, OURSELVES)).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
    });
  });
});

describe('a decoder that is closed while it decodes', () => {
  it('does not blame the picture: it may be sent again', async () => {
    const decoders = poolWith({});
    await decoders.normalise(png, OURSELVES);
    const decoding = decoders.normalise(large, OURSELVES);
    decoders.close();
    await expect(decoding).rejects.toMatchObject({ code: 'service_unavailable', retryable: true });
  });
});

describe.skipIf(process.platform !== 'linux')('a signal that reaches a decoder process while it decodes', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s leaves the parent its answer', async (signal) => {
    await expect(decodingBeside(signal)).resolves.toMatchObject({ width: 1_024, height: 1_024 });
  });

  it('none reaches it through the group of its parent, not even before it has begun', async () => {
    const others = children();
    await poolWith({}).normalise(png, OURSELVES);
    const decoders = children().filter((pid) => !others.includes(pid));
    expect(decoders.map(groupOf)).toEqual(decoders);
  });

  it('SIGQUIT does not blame the picture: it may be sent again', async () => {
    await expect(decodingBeside('SIGQUIT')).rejects.toMatchObject({ code: 'service_unavailable', retryable: true });
  });
});

describe('a decoder process', () => {
  it('decodes one picture after the other, and goes on after a refusal', async () => {
    const decoders = poolWith({});
    const first = await decoders.normalise(png, OURSELVES);
    await expect(
      decoders.normalise({ type: 'image/png', bytes: png.bytes.subarray(0, 80) }, OURSELVES),
    ).rejects.toThrow('cut short');
    expect(await decoders.normalise(png, OURSELVES)).toEqual(first);
  });
});

it('where memory runs out, the kernel ends a decoder before the process that serves requests', async () => {
  const others = children();
  await poolWith({}).normalise(png, OURSELVES);
  const scores = children()
    .filter((pid) => !others.includes(pid))
    .map((pid) => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim());
  expect(scores).toEqual(['1000']);
});

const DECODER = join(import.meta.dirname, '../../../../chain/storage/decoder/decoder-process.ts');
const isRoot = process.getuid?.() === 0;

it.skipIf(isRoot && onPath('setpriv') === undefined)(
  'a decoder starts beside an API that gives way to other processes, as any user',
  async () => {
    // Root alone may take priority back.
    const asAnyUser = isRoot ? ['setpriv', '--inh-caps=-sys_nice', '--bounding-set=-sys_nice'] : [];
    const [command = '', ...args] = [...asAnyUser, 'nice', '-n', '15', process.execPath, DECODER];
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(child, 'exit');
    expect(await Promise.race([once(child, 'message'), ended])).toMatchObject([{ kind: 'ready' }, undefined]);
    child.disconnect();
    await ended;
  },
);
