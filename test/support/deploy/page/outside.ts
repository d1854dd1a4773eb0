// Services beyond the machine, each on a port of its own: the bundler and its gateway (the argument), Pyth, Jito's tip floor.
import { createServer, type RequestListener } from 'node:http';
import { PYTH_SOL_USD } from '../../../../chain/prices/configured-prices.ts';
import { startArweaveServer } from '../../arweave-server.ts';

const serve = (port: number, answer: RequestListener) => createServer(answer).listen(port, '127.0.0.1');

/** Feeds that Pyth has, with their USD prices in units of 10^-8. */
const FEEDS: Readonly<Record<string, string>> = { [PYTH_SOL_USD]: '15000000000', ['c'.repeat(64)]: '100000000' };

await startArweaveServer(Number(process.argv[2]));
serve(9_201, ({ url = '' }, response) => {
  const ids = new URL(url, 'http://pyth').searchParams.getAll('ids[]').map((id) => id.replace(/^0x/, ''));
  const time = Math.floor(Date.now() / 1_000);
  const parsed = ids
    .filter((id) => FEEDS[id] !== undefined)
    .map((id) => ({ id, price: { price: FEEDS[id], conf: '1000', expo: -8, publish_time: time } }));
  response.end(JSON.stringify({ parsed }));
});
serve(9_202, (_, response) => {
  const tips = ['25', '50', '75', '95', '99'].map((percent) => [`landed_tips_${percent}th_percentile`, 0.00001]);
  response.end(JSON.stringify([Object.fromEntries(tips)]));
});
