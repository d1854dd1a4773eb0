import { createServer, type RequestListener } from 'node:http';

/** The id of this start, as every part answers it. */
const INSTANCE_ID = process.env['INSTANCE_ID'] ?? '';

/** Serves `listener` on a loopback port until SIGTERM, with the id of its start. Stands in for a part of the stack in tests of the supervisor. */
export function servePart(port: number, listener: RequestListener): void {
  const server = createServer((request, response) => {
    listener(request, response.setHeader('x-instance-id', INSTANCE_ID));
  });
  server.listen(port, '127.0.0.1');
  process.once('SIGTERM', () => {
    server.closeAllConnections();
    server.close();
  });
}

/** The value of a command line option, as `--port 8080`. */
export function option(name: string): string {
  const value = process.argv[process.argv.indexOf(`--${name}`) + 1];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}
