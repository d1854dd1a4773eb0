// `npm run build:web [folder]`: builds the site into web/dist or the folder.
import { resolve } from 'node:path';
import { build } from 'vite';

// Whoever starts this: a test's or a developer's environment must not get a build of React that is made for debugging.
process.env['NODE_ENV'] = 'production';

const [folder] = process.argv.slice(2);
await build({
  configFile: resolve(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'warn',
  ...(folder !== undefined && { build: { outDir: resolve(folder) } }),
});
