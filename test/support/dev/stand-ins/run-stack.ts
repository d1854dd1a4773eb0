// Runs a whole stack of stand-ins in the folder that is named, as `npm start` runs the real one; prints its addresses.
import { startStack } from '../../../../dev/stack/index.ts';
import { errorText } from '../../../../domain/error-text.ts';
import { STAND_INS } from './entry-points.ts';

const [dataDirectory] = process.argv.slice(2);
if (dataDirectory === undefined) throw new Error('usage: run-stack.ts DIRECTORY');
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stop.abort(new Error(`stopped by ${signal}`));
  });
}
try {
  const stack = await startStack({
    dataDirectory,
    entryPoints: STAND_INS,
    seed: () => Promise.resolve(),
    signal: stop.signal,
  });
  console.log(JSON.stringify({ siteUrl: stack.siteUrl }));
  await new Promise((resolve) => {
    stop.signal.addEventListener('abort', resolve);
  });
  await stack.stop();
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
