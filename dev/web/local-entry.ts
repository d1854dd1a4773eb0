import { join } from 'node:path';
import type { Plugin } from 'vite';

const ENTRY = join(import.meta.dirname, '../site/main.tsx');

export function localEntry(): Plugin {
  return {
    name: 'local-entry',
    enforce: 'pre',
    resolveId: (source) => (source === '/main.tsx' ? ENTRY : null),
  };
}
