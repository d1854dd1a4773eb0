import { existsSync, readFileSync } from 'node:fs';

export function lastLines(path: string, count = 8): string {
  if (!existsSync(path)) return '';
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count);
  return lines.join('').trim() === '' ? '' : `\n  it ends with:\n${lines.map((line) => `    ${line}`).join('\n')}`;
}
