import { readFileSync, statSync } from 'node:fs';
import { errorText } from '../domain/error-text.ts';
import { ConfigError } from './environment.ts';

const OTHERS = 0o007;

/** @throws ConfigError if unreadable, or readable by every user */
export function readPrivateFile(variable: string, path: string): string {
  const mode = explained(variable, () => statSync(path).mode);
  if ((mode & OTHERS) !== 0)
    throw new ConfigError([`${variable} ${path} can be opened by every user; chmod it to 600`]);
  return explained(variable, () => readFileSync(path, 'utf8')).trim();
}

/**
 * Reads a file without secrets.
 *
 * @throws ConfigError if unreadable
 */
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
