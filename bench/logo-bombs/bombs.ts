import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { filesOfEveryFormat, SVG_BOMBS } from '../../test/support/bombs.ts';
import { dataUrl, pngOfZeros } from '../../test/support/images.ts';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Every libvips format under each accepted type, and the dearest real pictures. */
export async function allBombs(): Promise<string[]> {
  const strange = [...(await filesOfEveryFormat()), ...SVG_BOMBS].map(([, bytes]) => bytes);
  const costly = [pngOfZeros(2_048, 2_048), pngOfZeros(64, 64, 1_500_000)];
  const blank = sharp({ create: { width: 2_048, height: 2_048, channels: 3, background: '#123' } });
  const scans = await blank.jpeg({ progressive: true, quality: 50 }).toBuffer();
  const lossless = await blank.webp({ lossless: true }).toBuffer();
  return [
    ...[...strange, ...costly].flatMap((bytes) => TYPES.map((type) => dataUrl(type, bytes))),
    dataUrl('image/jpeg', scans),
    dataUrl('image/webp', lossless),
  ];
}

export interface Bombardment {
  stop(): Promise<Readonly<Record<string, number>>>;
}

export function bombard(
  send: (bomb: string) => Promise<number>,
  bombs: readonly string[],
  perSecond: number,
): Bombardment {
  const stopped = new AbortController();
  const underWay: Promise<void>[] = [];
  const answers: Record<string, number> = {};
  const one = async (bomb: string) => {
    const status = await send(bomb);
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const stream = (async () => {
    for (let n = 0; !stopped.signal.aborted; n++) {
      underWay.push(one(bombs[n % bombs.length] ?? ''));
      await sleep(1_000 / perSecond);
    }
  })();
  return {
    stop: async () => {
      stopped.abort();
      await stream;
      await Promise.all(underWay);
      return answers;
    },
  };
}
