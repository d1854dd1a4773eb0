import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** 11 takes ten times as long for 3 %. */
const QUALITY = 9;

export function compressed(): Plugin {
  return {
    name: 'compressed-twins',
    apply: 'build',
    writeBundle({ dir }) {
      const assets = join(dir ?? '', 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const bytes = readFileSync(join(assets, name));
        const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
