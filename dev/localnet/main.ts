import { parseArgs } from 'node:util';
import { startLocalnet } from './index.ts';

const HELP = `Local Solana chain: JSON-RPC and websocket over the real runtime.

  --port N           port of RPC and websocket, the websocket is on N+1 too (default: a free pair)
  --host ADDRESS     where to listen (default 127.0.0.1)
  --data-dir DIR     folder the chain lives in (default: memory only)
  --slot-ms N        ms per slot (default 400)
  --stream-port N    port of the stream by Yellowstone's gRPC protocol (default: none is served; 0 = a free one)
  --programs-dir DIR folder with raydium_clmm.so, raydium_lock.so, mpl_token_metadata.so
  --help             this text

INSTANCE_ID in the environment becomes the header x-instance-id of every response.
Prints one line of JSON with the addresses when it is ready.`;

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} ${text}: a whole number is wanted`);
  return Number(text);
}

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    'data-dir': { type: 'string' },
    'slot-ms': { type: 'string' },
    'stream-port': { type: 'string' },
    'programs-dir': { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  const [port, slotMs] = [wholeNumber('port', values.port), wholeNumber('slot-ms', values['slot-ms'])];
  const streamPort = wholeNumber('stream-port', values['stream-port']);
  const localnet = await startLocalnet({
    instanceId: process.env['INSTANCE_ID'],
    ...(port !== undefined && { port }),
    ...(values.host !== undefined && { host: values.host }),
    ...(slotMs !== undefined && { slotMs }),
    ...(streamPort !== undefined && { stream: { port: streamPort } }),
    ...(values['data-dir'] !== undefined && { dataDir: values['data-dir'] }),
    ...(values['programs-dir'] !== undefined && { programsDir: values['programs-dir'] }),
  });
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    localnet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('closing failed:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const { rpcUrl, wsUrl, streamUrl, genesisHash, faucet, programs } = localnet;
  console.log(JSON.stringify({ rpcUrl, wsUrl, streamUrl, genesisHash, faucet, programs }));
}
