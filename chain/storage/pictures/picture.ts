import { AppError } from '../../../domain/errors.ts';
import type { StoredType } from '../permanent-store.ts';

export type PictureType = Exclude<StoredType, 'application/json'>;

export interface Picture {
  readonly type: PictureType;
  readonly bytes: Buffer;
}

export function refusedLogo(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `logo ${problem}`, { cause });
}

export function cutShort(): AppError {
  return refusedLogo('is damaged or cut short');
}

export function animated(): AppError {
  return refusedLogo('is animated; a still image is needed');
}
