import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ASSETS = join(import.meta.dirname, '../../../dev/demo/assets');

/** The bytes of a real PNG. */
export const LOGO_BYTES = readFileSync(join(ASSETS, 'driftwood.png'));

/** A data URL of these bytes. */
export function dataUrl(bytes: Uint8Array, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The logo of every test launch. */
export const LOGO = dataUrl(LOGO_BYTES);
