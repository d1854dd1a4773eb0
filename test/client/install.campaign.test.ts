import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiInstance } from '../../api/instance.ts';
import { freePort } from '../../dev/stack/ports.ts';
import { packClient, writeClientPackage } from '../../dev/client/package.ts';
import { CLIENT_PACKAGE, clientAddress } from '../../domain/client-package.ts';
import { testConfig } from '../support/api/api-config.ts';
import { testApp } from '../support/api/test-app.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const FILES = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\0')
  .filter((file) => file !== '' && !file.startsWith('test/') && file !== 'package-lock.json');

/** Commands that fetch a package by name or address, with their arguments. */
const COMMAND =
  /\b(?:npm (?:i|install|add|exec|x)|npx|bunx|(?:pnpm|yarn|bun|deno|jsr|cargo|uv|go) (?:i|add|install|dlx|x|get)|(?:pip3?|pipx|uv pip|brew|gem) install) [^\n`]*/g;

/** What a command of a file of ours installs that is not ours, each with its publisher. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  'dev/stack/temporal/go-build.ts': 'Temporal by Temporal Technologies',
  'dev/stack/temporal/version.ts': 'Temporal by Temporal Technologies',
};

/** Each install command of a text that people or agents read. */
function commandsIn(file: string): (readonly [file: string, command: string])[] {
  const found = readFileSync(join(ROOT, file), 'utf8').match(COMMAND) ?? [];
  return found.map((command) => [file, command] as const);
}

const COMMANDS = FILES.filter((file) => !(file in OF_OTHERS)).flatMap(commandsIn);

const folder = mkdtempSync(join(tmpdir(), 'slipway-install-'));
const site = join(folder, 'site');
const asked: string[] = [];
let upstream = '';
/** Lacks our names, and has what else the machine's registry has. */
const registry = createServer(({ url: path = '' }, response) => {
  const isOurs = path.includes('slipway');
  if (isOurs) asked.push(path);
  response.writeHead(isOurs ? 404 : 302, isOurs ? {} : { location: upstream + path }).end();
});
let registryUrl: string;
let app: ApiInstance;
let siteUrl: string;
let address: string;
beforeAll(async () => {
  await writeClientPackage(join(site, 'client'));
  writeFileSync(join(site, 'index.html'), '<meta name="application-name" content="Ship" /><!--head--><!--/head-->');
  upstream = (await run('npm', ['config', 'get', 'registry'])).stdout.trim().replace(/\/$/, '');
  const [port, registryPort] = [await freePort(), await freePort()];
  await new Promise<void>((resolve) => registry.listen(registryPort, '127.0.0.1', resolve));
  registryUrl = `http://127.0.0.1:${registryPort}`;
  siteUrl = `http://127.0.0.1:${port}`;
  app = await testApp({ config: testConfig({ WEB_DIR: site, SITE_URL: siteUrl }) });
  await app.listen({ host: '127.0.0.1', port });
  address = (await (await fetch(`${siteUrl}/client/address`)).text()).trim();
  execFileSync('tar', ['xzf', join(site, 'client', address.split('/').at(-1) ?? ''), '-C', folder]);
});
afterAll(async () => {
  await app.close();
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs it in an empty project; resolves with the folder that packages were installed into. */
async function install(command: string): Promise<{ readonly modules: string; readonly bin: string }> {
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), '{"name": "empty", "private": true}');
  const npm = {
    npm_config_registry: registryUrl,
    npm_config_prefix: join(project, 'global'),
    npm_config_audit: 'false',
    npm_config_fetch_retries: '0',
  };
  await run('sh', ['-c', command], { cwd: project, env: { ...process.env, SITE: siteUrl, ...npm } });
  if (!/ (-g|--global) /.test(command))
    return { modules: join(project, 'node_modules'), bin: join(project, 'node_modules/.bin') };
  return { modules: join(project, 'global/lib/node_modules'), bin: join(project, 'global/bin') };
}

const filesBelow = (path: string) => readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();

describe('every install command of the repository, while the public registry lacks our names', () => {
  it('is known, and the search finds those of docs, site and llms.txt', () => {
    const files = new Set(COMMANDS.map(([file]) => file));
    expect([...files]).toEqual(
      expect.arrayContaining([
        'api/reference/llms.get.ts',
        'client/README.md',
        'docs/launch-a-token.md',
        'docs/verify.md',
        'web/parts/command.tsx',
      ]),
    );
  });

  it.each(COMMANDS)('%s: %s installs ours', async (_file, written) => {
    const command = written.replaceAll(/\$\{(?:CLIENT_ADDRESS|address)\}/g, address);
    const { modules, bin } = await install(command);
    const installed = join(modules, CLIENT_PACKAGE);
    const ours = join(folder, 'package');
    const files = filesBelow(ours);
    expect(filesBelow(installed).filter((file) => !file.startsWith('node_modules'))).toEqual(files);
    for (const file of files.filter((name) => /\.\w+$/.test(name)))
      expect(readFileSync(join(installed, file)).equals(readFileSync(join(ours, file))), file).toBe(true);
    expect((await run(join(bin, 'slipway'), ['--version'])).stdout).toBe('0.1.0\n');
    expect(asked).toEqual([]);
  });

  it('stands in llms.txt as it is run here', async () => {
    const text = await (await fetch(`${siteUrl}/llms.txt`)).text();
    expect(text.match(COMMAND)).toEqual([`npm i ${address}`]);
  });
});

it('is a module that a program imports', async () => {
  const { modules } = await install(`npm i ${address}`);
  const program = `import('${CLIENT_PACKAGE}').then(({ launch }) => console.log(typeof launch))`;
  expect((await run(process.execPath, ['-e', program], { cwd: dirname(modules) })).stdout).toBe('function\n');
});

it('two builds of the same sources give the same bytes, and no file of the repository has their hash', async () => {
  const built = await packClient();
  expect(clientAddress(siteUrl, built.fileName)).toBe(address);
  const digest = built.sha512.slice(0, 16);
  expect(FILES.filter((file) => readFileSync(join(ROOT, file)).includes(digest))).toEqual([]);
});

it('npm pack in client/ of a clone packs the same files', async () => {
  const clone = join(folder, 'clone');
  for (const file of FILES.filter((name) => /^(client|dev\/client|domain|scripts)\/|^package\.json$/.test(name))) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  cpSync(join(ROOT, 'package-lock.json'), join(clone, 'package-lock.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  await run('npm', ['pack', '--loglevel=error', '--pack-destination', clone], { cwd: join(clone, 'client') });
  const packed = readdirSync(clone).filter((name) => name.endsWith('.tgz'));
  expect(packed).toEqual([`${CLIENT_PACKAGE}-0.1.0.tgz`]);
  const list = (file: string) => execFileSync('tar', ['tzf', file]).toString().split('\n').sort();
  expect(list(join(clone, packed[0] ?? ''))).toEqual(list(join(site, 'client', address.split('/').at(-1) ?? '')));
});
