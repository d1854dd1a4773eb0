import { readFileSync, statSync } from 'node:fs';
import { errorText } from '../domain/error-text.ts';
import { ConfigError } from './environment.ts';

/** Permissions of users that are neither the file's owner nor in its group. */
const OTHERS = 0o007;

/** Text of a file that a variable names. Throws a ConfigError when it cannot be read, and when every user of the machine can. */
export function readPrivateFile(variable: string, path: string): string {
  const mode = explained(variable, () => statSync(path).mode);
  if ((mode & OTHERS) !== 0)
    throw new ConfigError([`${variable} ${path} can be opened by every user; chmod it to 600`]);
  return explained(variable, () => readFileSync(path, 'utf8')).trim();
}

/** Text of a file that holds no secret. Throws a ConfigError when it cannot be read. */
export function readPublicFile(variable: string, path: string): string {
  return explained(variable, () => readFileSync(path, 'utf8'));
}

function explained<T>(variable: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError([`${variable} cannot be read: ${errorText(error)}`]);
  }
}
