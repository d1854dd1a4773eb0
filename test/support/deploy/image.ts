import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../../..');

/** What a stage of the Dockerfile copies from the project, as paths. */
export function copiedSources(name: 'sources' | 'local' = 'sources'): string[] {
  const dockerfile = readFileSync(join(PROJECT, 'Dockerfile'), 'utf8');
  const [, stage = ''] = new RegExp(`^FROM \\S+ AS ${name}$(.*?)^FROM `, 'ms').exec(dockerfile) ?? [];
  return [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
}

/** Puts into an empty folder what the image has, with this checkout's packages in place of its own. */
export function layOutImage(directory: string): void {
  for (const path of copiedSources()) cpSync(join(PROJECT, path), join(directory, path), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
}

/** Puts into an empty folder what the image of a local chain has, but for the built site. */
export function layOutLocalImage(directory: string): void {
  layOutImage(directory);
  for (const path of copiedSources('local')) cpSync(join(PROJECT, path), join(directory, path), { recursive: true });
}

/** Texts of all YAML files of a folder, by name. */
export function yamlFiles(folder: string): Map<string, string> {
  const directory = join(PROJECT, folder);
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}
