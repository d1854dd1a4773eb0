import { createRequire } from 'node:module';
import { isRecord } from '../http/shape.ts';

/** Version of the installed package, as its manifest says. */
export function ownVersion(): string {
  // By its own name, because the manifest lies elsewhere beside the sources than beside the build.
  const manifest: unknown = createRequire(import.meta.url)('slipway-client/package.json');
  return isRecord(manifest) ? String(manifest['version']) : 'unknown';
}
