import type { Plugin } from 'vite';

/**
 * Chromium compiles every function while loading; at the first call a phone waits twice as long. Other browsers see a
 * comment.
 */
const HINT = '//# allFunctionsCalledOnLoad\n';

export function eager(): Plugin {
  return {
    name: 'eager-functions',
    apply: 'build',
    // Names contain the hash, with the hint.
    augmentChunkHash: () => HINT,
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = HINT + chunk.code;
      },
    },
  };
}
