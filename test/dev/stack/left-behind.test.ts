import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createServer } from 'node:net';
import { onTestFinished, test, expect } from 'vitest';
import { choosePorts } from '../../../dev/stack/ports.ts';
import { leftBehind } from '../../support/dev/left-behind.ts';
import { stackFolder } from '../../support/dev/stand-in-stack.ts';

const LISTEN = `require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => console.log('ready'))`;

test('a port that a process of the folder listens on is left behind; one that a stranger took since is not', async () => {
  const layout = stackFolder();
  const { temporal, postgres } = await choosePorts(layout.portsFile, 0);
  const stranger = createServer().listen(temporal, '127.0.0.1');
  await once(stranger, 'listening');
  onTestFinished(() => void stranger.close());
  expect(await leftBehind(layout, '')).toEqual([]);

  const own = spawn(process.execPath, ['-e', LISTEN, String(postgres)], { cwd: layout.data, stdio: 'pipe' });
  onTestFinished(() => void own.kill());
  await once(createInterface({ input: own.stdout }), 'line');
  expect(await leftBehind(layout, '')).toEqual(['postgres']);
});
