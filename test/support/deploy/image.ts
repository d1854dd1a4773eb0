import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../../..');

/** What the Dockerfile's stage of sources copies, as paths of the project. */
export function copiedSources(): string[] {
  const [, stage = ''] =
    /^FROM \S+ AS sources$(.*?)^FROM /ms.exec(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8')) ?? [];
  return [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '));
}

/** Puts into an empty folder what the image has, with this checkout's packages in place of its own. */
export function layOutImage(directory: string): void {
  for (const path of copiedSources()) cpSync(join(PROJECT, path), join(directory, path), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(directory, 'node_modules'));
}

/** Texts of all YAML files of a folder, by name. */
export function yamlFiles(folder: string): Map<string, string> {
  const directory = join(PROJECT, folder);
  const names = readdirSync(directory).filter((name) => name.endsWith('.yaml'));
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}
