import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { dataUrl, LOGO, LOGO_BYTES } from '../../platform/logo.ts';
import type { Alteration } from './alteration.ts';

const OTHER = readFileSync(join(import.meta.dirname, '../../../../dev/demo/assets/lantern.webp'));
const PAYLOAD = LOGO.slice(LOGO.indexOf(',') + 1);

const logo = (value: string): Alteration['alter'] => {
  return () => ({ logo: value });
};

function withBitFlipped(): Buffer {
  const bytes = Buffer.from(LOGO_BYTES);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

const OTHER_BYTES = /not byte-identical/;
const NO_LOGO = /data URL/;
const NOT_BASE64 = /not base64/;

/** Every way in which a logo is not the one that was sent to prepare. */
export const LOGO_ALTERATIONS: readonly Alteration[] = [
  { what: 'one bit changed', says: OTHER_BYTES, alter: logo(dataUrl(withBitFlipped())) },
  { what: 'a byte less', says: OTHER_BYTES, alter: logo(dataUrl(LOGO_BYTES.subarray(0, -1))) },
  { what: 'a byte more', says: OTHER_BYTES, alter: logo(dataUrl(Buffer.concat([LOGO_BYTES, Buffer.of(0)]))) },
  { what: 'another type', says: /is declared as image\/jpeg/, alter: logo(dataUrl(LOGO_BYTES, 'image/jpeg')) },
  { what: 'another picture', says: OTHER_BYTES, alter: logo(dataUrl(OTHER, 'image/webp')) },
  {
    what: 'the same pixels, encoded anew',
    says: OTHER_BYTES,
    alter: async () => ({ logo: dataUrl(await sharp(LOGO_BYTES).png({ compressionLevel: 1 }).toBuffer()) }),
  },
  { what: 'a type that is not allowed', says: NO_LOGO, alter: logo(dataUrl(LOGO_BYTES, 'image/svg+xml')) },
  { what: 'no prefix', says: NO_LOGO, alter: logo(PAYLOAD) },
  { what: 'percent encoding', says: NO_LOGO, alter: logo('data:image/png,%89PNG') },
  { what: 'padding too much', says: NOT_BASE64, alter: logo(`${LOGO}==`) },
  { what: 'an empty payload', says: /empty/, alter: logo('data:image/png;base64,') },
  { what: 'nothing', says: /logo/, alter: logo('') },
  { what: 'a web address', says: NO_LOGO, alter: logo('https://example.com/logo.png') },
  { what: 'more than 512 KB', says: /512 KB/, alter: logo(dataUrl(Buffer.alloc(512 * 1024 + 1))) },
];
