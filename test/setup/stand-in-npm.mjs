// Stands in the place of npm's command line: notes how it was called, waits where it is told to, and installs what `packages/` holds.
import { appendFileSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, watch } from 'node:fs';

const [command] = process.argv.slice(2);
appendFileSync('calls', `${JSON.stringify({ args: process.argv.slice(2), node: process.execPath })}\n`);
console.log('npm is at work');
if (existsSync('hold')) {
  await new Promise((resolve) => {
    const watcher = watch('.', goOn);
    function goOn() {
      if (!existsSync('hold')) resolve(watcher.close());
    }
    goOn();
  });
}
if (existsSync('broken')) process.exit(7);
if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
cpSync('packages', 'node_modules', { recursive: true });
mkdirSync('node_modules/.bin', { recursive: true });
if (!existsSync('node_modules/.bin/node')) symlinkSync(process.env.PACKAGED_NODE, 'node_modules/.bin/node');
