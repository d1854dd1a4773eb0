// `npm run build` in client/: what `npm pack` there packs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { compileClient } from './package.ts';

const dist = join(import.meta.dirname, '../../client/dist');
rmSync(dist, { recursive: true, force: true });
await compileClient(dist);
