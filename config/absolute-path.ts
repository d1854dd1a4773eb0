import Type, { type TString } from 'typebox';

/** Any character except NUL. */
export const ABSOLUTE_PATH = '/[^\\u0000]*';

export function absolutePath(description: string): TString {
  return Type.String({ pattern: `^${ABSOLUTE_PATH}$`, title: 'an absolute path', description });
}
