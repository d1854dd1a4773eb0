// `npm run build:web [folder]`: the site and the client's package; `--local folder`: the site of a local chain.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { writeClientPackage } from '../client/package.ts';

// Else React's debug build could be chosen.
process.env['NODE_ENV'] = 'production';

const { values, positionals } = parseArgs({ options: { local: { type: 'boolean' } }, allowPositionals: true });
const [folder] = positionals;
if (values.local && folder === undefined)
  throw new Error('--local needs a folder: the site of a local chain is not for web/dist');
await build({
  configFile: resolve(import.meta.dirname, values.local ? 'local.config.ts' : 'vite.config.ts'),
  logLevel: 'warn',
  ...(folder !== undefined && { build: { outDir: resolve(folder) } }),
});
await writeClientPackage(join(resolve(folder ?? join(import.meta.dirname, '../../web/dist')), 'client'));
