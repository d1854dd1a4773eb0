// `npm run build:web [folder]`: builds the site into web/dist or the folder.
import { resolve } from 'node:path';
import { build } from 'vite';

const [folder] = process.argv.slice(2);
await build({
  configFile: resolve(import.meta.dirname, 'vite.config.ts'),
  logLevel: 'warn',
  ...(folder !== undefined && { build: { outDir: resolve(folder) } }),
});
