import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BASE_PATH } from '../../api/base-path.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { Rig } from '../launch-latency/rig.ts';

/** Each read's time in ms, and how many were not answered 200. */
export interface Reads {
  readonly ms: readonly number[];
  readonly refused: number;
}

const PATHS = ['/stats', '/tokens', '/pairs', '/launches', '/events'].map((path) => BASE_PATH + path);

/** There are so many that the proxy takes none of them for one that asks for much. */
const READERS = 250;

/** Asks at fixed times, whether earlier reads were answered or not. */
export async function readFor(port: number, seconds: number, perSecond: number): Promise<Reads> {
  const asked = await atTimes(seconds, perSecond, (index) => read(port, index));
  const answered = asked.filter(({ status }) => status === 200);
  return { ms: answered.map(({ ms }) => ms), refused: asked.length - answered.length };
}

/** Submit → completed of each launch, ms. */
export function launchFor(rig: Rig, seconds: number, perMinute: number): Promise<number[]> {
  return atTimes(seconds, perMinute / 60, () => launch(rig));
}

async function atTimes<T>(seconds: number, perSecond: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const begun = performance.now();
  const acts: Promise<T>[] = [];
  for (let index = 0; index < seconds * perSecond; index += 1) {
    acts.push(act(index));
    await sleep(Math.max(0, begun + ((index + 1) * 1_000) / perSecond - performance.now()));
  }
  return Promise.all(acts);
}

function read(port: number, index: number): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const path = PATHS[index % PATHS.length];
  const localAddress = `127.2.0.${1 + (index % READERS)}`;
  return new Promise((resolve) => {
    const done = (status: number) => {
      resolve({ status, ms: performance.now() - begun });
    };
    const asked = request({ host: '127.0.0.1', port, path, localAddress, agent: false }, (answer) => {
      answer.resume().on('end', () => {
        done(answer.statusCode ?? 0);
      });
    });
    asked.on('error', () => {
      done(0);
    });
    asked.end();
  });
}

async function launch(rig: Rig): Promise<number> {
  const { signedQuote, signedTransaction } = await prepareLaunch(rig);
  const body = { signedQuote, signedTransaction, logo: rig.wish.logo };
  const begun = performance.now();
  // A busy machine may exceed a submit's wait: it is asked again.
  while ((await rig.api.ask('POST /launches/submit', { body })).status !== 'completed');
  return performance.now() - begun;
}
