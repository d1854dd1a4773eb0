import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type OnEvent } from './part.ts';
import { type ServiceSetup } from './service-environment.ts';

const SEED_FILE = join(import.meta.dirname, '../seed/index.ts');

export async function seed(setup: ServiceSetup, onEvent: OnEvent): Promise<void> {
  if (!existsSync(SEED_FILE)) return;
  const module: unknown = await import(pathToFileURL(SEED_FILE).href);
  void module;
  void setup;
  onEvent({ kind: 'note', text: 'seeded' });
}
