import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { cacheFolder, installedOnce } from '../../support/cache.ts';
import { INSTALL_MS, pythonWith } from '../../support/python.ts';

const run = promisify(execFile);

/** Programs that read the stream by a library, with the pins of all. */
const READERS = join(import.meta.dirname, 'readers');

/** Folders and programs that readers need. */
export interface Workplace {
  readonly node: string;
  readonly bundle: string;
  readonly python: string;
  readonly go: string;
}

export interface Library {
  readonly name: string;
  readonly where: 'Chromium' | 'Node' | 'Python' | 'Go';
}

export const LIBRARIES: readonly Library[] = [
  { name: 'EventSource', where: 'Chromium' },
  { name: 'event-source-polyfill', where: 'Chromium' },
  { name: 'extended-eventsource', where: 'Chromium' },
  { name: 'fetch-event-source', where: 'Chromium' },
  { name: 'sse.js', where: 'Chromium' },
  { name: 'eventsource', where: 'Node' },
  { name: 'launchdarkly-eventsource', where: 'Node' },
  { name: 'httpx-sse', where: 'Python' },
  { name: 'sseclient-py', where: 'Python' },
  { name: 'r3labs/sse', where: 'Go' },
  { name: 'launchdarkly/eventsource', where: 'Go' },
  { name: 'tmaxmax/go-sse', where: 'Go' },
];

/** Installs every library once into the cache. Needs npm, Python and Go. */
export async function openWorkplace(): Promise<Workplace> {
  const node = await installedIn('stream-libraries-npm', 'package.json', async (folder) => {
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: INSTALL_MS });
    copyFileSync(join(READERS, 'page.mjs'), join(folder, 'page.mjs'));
    const rolldown = join(import.meta.dirname, '../../../node_modules/.bin/rolldown');
    await run(rolldown, ['page.mjs', '--file', 'page.js', '--format', 'iife'], { cwd: folder });
  });
  const go = await installedIn('stream-libraries-go', 'go.mod', async (folder) => {
    for (const file of ['go.sum', 'main.go']) copyFileSync(join(READERS, file), join(folder, file));
    await run('go', ['build', '-o', 'readers', '.'], { cwd: folder, timeout: INSTALL_MS });
  });
  const python = await pythonWith(join(READERS, 'requirements.txt'), 'stream-libraries-python');
  return { node, bundle: join(node, 'page.js'), python: join(python, 'python'), go: join(go, 'readers') };
}

async function installedIn(name: string, pins: string, install: (folder: string) => Promise<void>): Promise<string> {
  const text = ['package.json', 'page.mjs', 'go.mod', 'main.go'].map((file) =>
    readFileSync(join(READERS, file), 'utf8'),
  );
  const folder = cacheFolder(name, text.join(''));
  await installedOnce(folder, async () => {
    copyFileSync(join(READERS, pins), join(folder, pins));
    await install(folder);
  });
  return folder;
}

export interface Reading {
  /** Of the events that the library has handed out, in order. */
  readonly ids: readonly string[];
  stop(): Promise<void>;
}

/** Reads the stream at `origin` by a library. */
export function startReading(
  { name, where }: Library,
  origin: string,
  path: string,
  workplace: Workplace,
  browser: Browser,
): Promise<Reading> | Reading {
  const url = `${origin}${path}`;
  const node = join(READERS, 'node.mjs');
  switch (where) {
    case 'Chromium':
      return readInPage(browser, origin, name, url, workplace);
    case 'Node':
      return readByProgram(spawnReader(process.execPath, [node, name, url], workplace.node));
    case 'Python':
      return readByProgram(spawnReader(workplace.python, [join(READERS, 'read.py'), name, url], workplace.node));
    case 'Go':
      return readByProgram(spawnReader(workplace.go, [name, url], workplace.node));
  }
}

function spawnReader(program: string, args: readonly string[], cwd: string): ChildProcess {
  return spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
}

function readByProgram(child: ChildProcess): Reading {
  const ids: string[] = [];
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => ids.push(line));
  return { ids, stop: async () => void child.kill('SIGKILL') };
}

async function readInPage(
  browser: Browser,
  origin: string,
  library: string,
  url: string,
  { bundle }: Workplace,
): Promise<Reading> {
  const ids: string[] = [];
  const page = await browser.newPage();
  await page.goto(`${origin}/page`);
  await page.exposeFunction('report', (id: string) => void ids.push(id));
  await page.addScriptTag({ path: bundle });
  await page.evaluate(`read(${JSON.stringify(library)}, ${JSON.stringify(url)})`);
  return { ids, stop: () => page.close() };
}
