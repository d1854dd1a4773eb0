import { createConnection } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPlatform } from '../support/platform/platform.ts';

async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

it('a closed platform leaves no port and no database behind', async () => {
  const platform = await startPlatform();
  const ports = [platform.chain.port, Number(new URL(platform.engine.url).port)];
  expect(await Promise.all(ports.map(isListening))).toEqual([true, true]);
  await platform.close();
  expect(await Promise.all(ports.map(isListening))).toEqual([false, false]);
  const client = new pg.Client({ connectionString: String(platform.variables['DATABASE_URL']) });
  await expect(client.connect()).rejects.toThrow('does not exist');
});
