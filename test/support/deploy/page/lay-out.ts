import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { layOutImage } from '../image.ts';
import type { Machine } from './machine.ts';

const PROJECT = join(import.meta.dirname, '../../../..');
const run = promisify(execFile);

/** Lays out what the Dockerfile's stage `service` has: its sources, the bundled workflows, the site, and its variables. */
export async function layOutService({ directory }: Machine): Promise<void> {
  const image = join(directory, 'image');
  mkdirSync(image);
  layOutImage(image);
  const env = { PATH: process.env['PATH'] ?? '', SWC_NATIVE_BINDING_CACHE: join(PROJECT, '.data/cache/swc') };
  await Promise.all([
    run(process.execPath, ['worker/write-bundle.ts'], { cwd: image, env }),
    run(process.execPath, ['dev/web/build.ts', join(image, 'web/dist')], { cwd: PROJECT, env }),
  ]);
  // The packages are shown there when it runs: a link would lead out of the image.
  rmSync(join(image, 'node_modules'));
  mkdirSync(join(image, 'node_modules'));
  writeFileSync(join(directory, 'modules'), join(PROJECT, 'node_modules'));
  writeFileSync(join(directory, 'image.env'), variables().join('\n'));
}

/** Those of the Dockerfile, and where programs are. */
function variables(): string[] {
  const dockerfile = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8');
  const [, stage = ''] = /^FROM sources AS service$(.*?)^FROM /ms.exec(dockerfile) ?? [];
  const [, lines = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(stage) ?? [];
  const named = lines.split(/\s*\\\n\s*/).map((line) => line.trim());
  if (!named.includes('NODE_ENV=production')) throw new Error('the Dockerfile is not as its tests know it');
  return [...named, 'PATH=/node/bin:/usr/bin:/bin', 'HOME=/tmp'];
}
