import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { eager } from './eager.ts';

/** The API that `vite dev` passes requests on to; the local stack's by default. */
const API = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:8080';

const root = join(import.meta.dirname, '../../web');

/** How the site is built: into plain files, each of which carries the hash of its content in its name. */
export default defineConfig({
  root,
  publicDir: false,
  // The site is written in React and rendered by Preact: a phone reads a third of the bytes. Without this line it is React again.
  resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    // What no page needs must not be in the page.
    modulePreload: { polyfill: false },
    // The content security policy allows no data: scripts and styles, and pictures are few.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Libraries mark what a server must not render; here nothing is rendered by one.
    rolldownOptions: { checks: { moduleLevelDirective: false, pluginTimings: false } },
  },
  plugins: [eager(), compressed()],
  server: {
    proxy: Object.fromEntries(
      ['/api', '/local', '/store', '/logo.svg', '/docs'].map((path) => [
        path,
        // The desk serves no page of another origin.
        { target: API, changeOrigin: true, headers: { origin: API } },
      ]),
    ),
  },
});
