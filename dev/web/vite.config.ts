import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { eager } from './eager.ts';

/** `vite dev`'s proxy; default: the local stack. */
const API = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:8080';

const root = join(import.meta.dirname, '../../web');

/** Content hashes in names. */
export default defineConfig({
  root,
  publicDir: false,
  // Preact, written in React: a third of the bytes.
  resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // No page needs the polyfill.
    modulePreload: { polyfill: false },
    // The content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // No server rendering here.
    rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
  },
  plugins: [eager(), compressed()],
  server: {
    proxy: Object.fromEntries(
      ['/api', '/client', '/local', '/store', '/documents', '/.well-known', '/logo.svg', '/docs'].map((path) => [
        path,
        // The desk refuses other origins.
        { target: API, changeOrigin: true, headers: { origin: API } },
      ]),
    ),
  },
});
