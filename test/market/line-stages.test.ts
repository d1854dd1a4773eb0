import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { LINE, STAGES } from '../../activities/market/line/stage-list.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROOMS = ['activities/market', 'chain/market', 'chain/stream', 'db/market', 'domain/market', 'worker/market'];
const MOST_MEMBERS = 15;

test('each stage has a folder of the line, in order', () => {
  expect(Object.keys(LINE)).toEqual([...STAGES]);
  for (const { at } of Object.values(LINE)) expect(existsSync(join(ROOT, 'activities/market', at))).toBe(true);
});

test(`no class of the market has over ${MOST_MEMBERS} members`, () => {
  const counts = ROOMS.flatMap((room) => filesIn(join(ROOT, room)).flatMap(membersIn));
  expect(counts.length).toBeGreaterThan(20);
  expect(counts.filter(({ members }) => members > MOST_MEMBERS)).toEqual([]);
});

function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
}

function membersIn(file: string): { name: string; members: number }[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isClassDeclaration).map(({ name, members }) => ({
    name: name?.text ?? file,
    members: new Set(members.map((member) => member.name?.getText(source) ?? 'constructor')).size,
  }));
}
