// A part that ignores SIGTERM and has a child that does so too.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

process.on('SIGTERM', () => undefined);
spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
createServer((_request, response) => {
  response.setHeader('x-instance-id', process.env['INSTANCE_ID'] ?? '').end('ready');
}).listen(Number(process.env['PORT']), '127.0.0.1');
