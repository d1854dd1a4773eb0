import { parseArgs } from 'node:util';
import { errorText } from '../../domain/error-text.ts';
import { startBlockEngine } from './block-engine.ts';

const HELP = `Local block engine: speaks Jito's searcher protocol and forwards bundles to a local chain.

  node dev/block-engine/main.ts --rpc-url URL [--port N] [--admin-port N] [--host ADDRESS]

  --rpc-url URL    JSON-RPC address of the local chain (required)
  --port N         gRPC port, 0 = free (default 0)
  --admin-port N   HTTP port for GET /health, GET /fault and POST /fault, 0 = free (default 0)
  --host ADDRESS   where both listen (default 127.0.0.1)
  --help           this text

INSTANCE_ID in the environment becomes the header x-instance-id of the HTTP port.
Prints one JSON line when it is ready: {"url", "adminUrl", "tipAccounts", "pid"}. Ends on SIGTERM and SIGINT.
`;

function portOption(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new RangeError(`--${name} ${text} is not a port`);
  return port;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'admin-port': { type: 'string', default: '0' },
      'rpc-url': { type: 'string' },
      host: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (values['rpc-url'] === undefined) throw new TypeError('--rpc-url is missing');
  return {
    port: portOption('port', values.port),
    adminPort: portOption('admin-port', values['admin-port']),
    rpcUrl: values['rpc-url'],
    ...(values.host !== undefined && { host: values.host }),
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(HELP);
    return;
  }
  const engine = await startBlockEngine({
    ...options,
    instanceId: process.env['INSTANCE_ID'],
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const { url, adminUrl, tipAccounts } = engine;
  const end = () => void engine.close().then(() => process.exit(0));
  process.once('SIGTERM', end).once('SIGINT', end);
  process.stdout.write(`${JSON.stringify({ url, adminUrl, tipAccounts, pid: process.pid })}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`block engine: ${errorText(error)}\n`);
  process.exitCode = 1;
});
