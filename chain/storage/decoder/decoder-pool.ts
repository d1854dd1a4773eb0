import { AppError } from '../../../domain/errors.ts';
import { type Asker, createPlaces, type PlaceLimits } from '../../../domain/places.ts';
import type { Picture } from '../pictures/picture.ts';
import type { NormalPicture } from './normalise.ts';
import { type Decoder, type DecoderLimits, startDecoder } from './start-decoder.ts';

export interface DecoderPool {
  /** Throws an AppError: `invalid_request` for a bad picture, `service_unavailable` for a full queue. */
  normalise(picture: Picture, asker: Asker): Promise<NormalPicture>;
  warmUp(): void;
  close(): void;
}

export function createDecoderPool(options: {
  readonly places: PlaceLimits;
  readonly limits: DecoderLimits;
}): DecoderPool {
  const places = createPlaces(options.places, tooMany);
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
    normalise: (picture, asker) =>
      places.take(asker, async () => {
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

function tooMany(): AppError {
  return new AppError('service_unavailable', 'too many logos are being checked at once; try again in a moment', {
    retryAfterSeconds: 2,
  });
}
