import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { filesOfEveryFormat, SVG_BOMBS } from '../../../support/bombs.ts';

const MODULE = join(import.meta.dirname, '../../../../chain/storage/decoder/three-loaders.ts');

/** Which of some files the library reads as the decoder process sets it up; in a process of its own, because that is for good. */
async function readable(files: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const texts = Object.fromEntries([...files].map(([what, bytes]) => [what, bytes.toString('base64')]));
  const program = `
    const { sharpWithThreeLoaders } = await import(${JSON.stringify(MODULE)});
    const sharp = sharpWithThreeLoaders();
    const found = [];
    for (const [what, text] of Object.entries(${JSON.stringify(texts)})) {
      await sharp(Buffer.from(text, 'base64')).metadata().then(() => found.push(what), () => undefined);
    }
    console.log(JSON.stringify(found));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const found: unknown = JSON.parse(stdout);
  return Array.isArray(found) ? found.map(String) : [];
}

it('of all formats that libvips knows, the decoder reads PNG, JPEG and WebP alone', async () => {
  const files = new Map([
    ...(await filesOfEveryFormat()),
    ...[...SVG_BOMBS].filter(([, bytes]) => bytes.length < 50_000),
  ]);
  expect((await readable(files)).sort()).toEqual(['jpeg', 'png', 'webp']);
});
