// Prints events as they come, one a line: node stream.ts https://site.example/api/public/v1 cursor.txt
// The file keeps the cursor of the last printed event: the same command goes on there. Without it, it begins with now.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every 4 s there is a sign of life: a connection without one is dead. */
const SILENCE_MS = 30_000;

class RefusedError extends Error {}

const [url, state] = process.argv.slice(2);
if (url === undefined || state === undefined) throw new Error('usage: stream.ts URL FILE');
for (;;) {
  try {
    await readStream(url, state);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    console.error(error);
  }
  // A stream ends itself after 15 minutes.
  await sleep(1_000);
}

async function readStream(root: string, file: string): Promise<void> {
  const cursor = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'now';
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const query = new URLSearchParams({ after: cursor });
    const response = await fetch(`${root}/events/stream?${query.toString()}`, { signal: silence.signal });
    if (!response.ok || !response.body) throw await failureOf(response);
    let rest = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) handle(block, file);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** 429 and 5xx pass; others stay, such as 404: the cursor is too old. */
async function failureOf(response: Response): Promise<Error> {
  const text = `${response.status}: ${await response.text()}`;
  return response.status === 429 || response.status >= 500 ? new Error(text) : new RefusedError(text);
}

function handle(block: string, file: string): void {
  const lines = block.split('\n');
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [id, data] = [valueOf('id'), valueOf('data')];
  if (data !== undefined && valueOf('event') !== 'heartbeat') console.log(data);
  if (id === undefined) return;
  // Renamed, so that the file is never half written.
  writeFileSync(`${file}.new`, id);
  renameSync(`${file}.new`, file);
}
