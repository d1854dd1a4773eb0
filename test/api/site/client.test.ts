import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiInstance } from '../../../api/instance.ts';
import { findClientPackage, keepClientPackage, KEPT_PACKAGES } from '../../../db/platform/client-package.ts';
import { clientFileName, type ClientPackage } from '../../../domain/client-package.ts';
import { testConfig } from '../../support/api/api-config.ts';
import { testApp } from '../../support/api/test-app.ts';
import { useDatabase } from '../../support/db/use-database.ts';

const INDEX =
  '<meta name="application-name" content="Ship" /><!--head--><!--/head--><meta name="slipway:client" content="" />';

function packageWith(content: string): ClientPackage {
  const bytes = Buffer.from(content);
  const sha512 = createHash('sha512').update(bytes).digest('hex');
  return { fileName: clientFileName('0.1.0', sha512), bytes, sha512 };
}

const OWN = packageWith('this release');
const { db } = useDatabase();
let directory: string;
let app: ApiInstance;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'site-'));
  await mkdir(join(directory, 'client'));
  await writeFile(join(directory, 'index.html'), INDEX);
  await writeFile(join(directory, 'client', OWN.fileName), OWN.bytes);
  app = await testApp({ db: db(), config: testConfig({ WEB_DIR: directory }) });
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

const address = ({ fileName }: ClientPackage) => `http://127.0.0.1:8080/client/${fileName}`;

it('the package of this build is served for ever under the name of its content, with its digest', async () => {
  const { rawPayload, headers } = await app.inject(address(OWN));
  expect(rawPayload).toEqual(OWN.bytes);
  expect(headers).toMatchObject({
    'content-type': 'application/gzip',
    'cache-control': expect.stringContaining('immutable') as string,
  });
  expect((await app.inject(`${address(OWN)}.sha512`)).body).toBe(`${OWN.sha512}  ${OWN.fileName}\n`);
});

it('its address stands at /client/address, on the site and in llms.txt', async () => {
  expect((await app.inject('/client/address')).body).toBe(`${address(OWN)}\n`);
  expect((await app.inject('/')).body).toContain(`content="${address(OWN)}"`);
  expect((await app.inject('/llms.txt')).body).toContain(`npm i ${address(OWN)}\n`);
});

it('a package of an earlier release goes on being served, and one that nobody built is not found', async () => {
  const earlier = packageWith('an earlier release');
  expect((await app.inject(address(earlier))).statusCode).toBe(404);
  await keepClientPackage(db(), earlier);
  expect((await app.inject(address(earlier))).rawPayload).toEqual(earlier.bytes);
  expect((await app.inject(`${address(earlier)}.sha512`)).body).toBe(`${earlier.sha512}  ${earlier.fileName}\n`);
  for (const path of ['/client/x.tgz', '/client/..%2findex.html', `/client/${OWN.fileName}.md5`])
    expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404]);
});

it('a kept package whose bytes are not those of its name is not served', async () => {
  const { fileName } = packageWith('as it was built');
  await keepClientPackage(db(), { fileName, bytes: Buffer.from('as somebody changed it') });
  expect((await app.inject(`http://127.0.0.1:8080/client/${fileName}`)).statusCode).toBe(404);
});

it('the newest packages are kept, and one that is built again is new', async () => {
  const first = packageWith('first');
  await keepClientPackage(db(), first);
  for (let number = 1; number < KEPT_PACKAGES; number++) await keepClientPackage(db(), packageWith(`build ${number}`));
  await keepClientPackage(db(), first);
  await keepClientPackage(db(), packageWith('one more'));
  expect(await findClientPackage(db(), first.fileName)).toEqual(first);
  expect(await findClientPackage(db(), packageWith('build 1').fileName)).toBeNull();
  expect(await db().selectFrom('clientPackages').select('fileName').execute()).toHaveLength(KEPT_PACKAGES);
});

it('a site that was built without a package names none', async () => {
  await rm(join(directory, 'client'), { recursive: true });
  const bare = await testApp({ config: testConfig({ WEB_DIR: directory }) });
  expect((await bare.inject('/client/address')).statusCode).toBe(404);
  expect((await bare.inject('/llms.txt')).body).not.toMatch(/npm|slipway/);
  await bare.close();
});
