import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { inject } from 'vitest';

/**
 * Asks the test run for one of its servers and waits until it is ready.
 * @throws with the reason when it could not be started.
 */
export async function askService<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
  const url = new URL(path, inject('testServicesUrl'));
  // Not fetch: its five-minute limit on headers is shorter than a first build on a slow machine.
  const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    request(url, (response) => {
      text(response).then((answer) => {
        resolve({ status: response.statusCode ?? 0, body: answer });
      }, reject);
    })
      .on('error', reject)
      .end();
  });
  if (status !== 200) throw new Error(`the test run has no ${path.slice(1)}: ${body}`);
  return Value.Parse(schema, JSON.parse(body));
}
