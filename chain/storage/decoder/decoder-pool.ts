import type { Picture } from '../pictures/picture.ts';
import { createDecodeQueue } from './decode-queue.ts';
import type { NormalPicture } from './normalise.ts';
import { type Decoder, type DecoderLimits, startDecoder } from './start-decoder.ts';

export interface DecoderPool {
  /** Throws an AppError: `invalid_request` for a bad picture, `service_unavailable` for a full queue. */
  normalise(picture: Picture): Promise<NormalPicture>;
  warmUp(): void;
  close(): void;
}

export function createDecoderPool(options: {
  readonly atOnce: number;
  readonly mostWaiting: number;
  readonly limits: DecoderLimits;
}): DecoderPool {
  const inQueue = createDecodeQueue(options);
  const all = new Set<Decoder>();
  const idle: Decoder[] = [];

  function start(): Decoder {
    const decoder = startDecoder(options.limits);
    all.add(decoder);
    return decoder;
  }

  function putBack(decoder: Decoder): void {
    if (decoder.isFit()) {
      idle.push(decoder);
      return;
    }
    decoder.end();
    all.delete(decoder);
  }

  return {
    normalise: (picture) =>
      inQueue(async () => {
        const decoder = idle.pop() ?? start();
        try {
          return await decoder.decode(picture);
        } finally {
          putBack(decoder);
        }
      }),
    warmUp: () => {
      if (all.size === 0) idle.push(start());
    },
    close: () => {
      for (const decoder of all) decoder.end();
      all.clear();
      idle.length = 0;
    },
  };
}
