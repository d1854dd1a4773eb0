import { closeOnSignal } from '../../../api/shutdown.ts';
import { testApp } from './test-app.ts';

/** A process of the API with an endpoint that takes as long as it is told, for tests that send signals: `node serve-slowly.ts GRACE_MS`. */
const app = await testApp();
app.get('/slow/:ms', async (request) => {
  const { ms } = request.params as { ms: string };
  process.stdout.write('started\n');
  await new Promise((resolve) => setTimeout(resolve, Number(ms)));
  return { data: { finished: true }, meta: {} };
});
// More than the buffers of a connection hold.
app.get('/large', async () => ({ data: { text: 'a'.repeat(50_000_000) }, meta: {} }));
closeOnSignal(app, Number(process.argv[2]));
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
