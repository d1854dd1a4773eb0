import { registerHooks } from 'node:module';

const ROOT = new URL('../../', import.meta.url).href;
const PACKAGES = new URL('node_modules/', ROOT).href;

/**
 * Imports of the project name their file, so the address follows without a look at the disk. Vitest's own hook, which comes after this
 * one, would tell its main process of each, thousands in a file, for watching alone.
 */
registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '' } = context;
    const isOwn = /^\.\.?\/.*\.ts$/.test(specifier) && parentURL.startsWith(ROOT) && !parentURL.startsWith(PACKAGES);
    return isOwn ? { url: new URL(specifier, parentURL).href, shortCircuit: true } : next(specifier, context);
  },
});
