/**
 * Counts what the code is held to: words of comments and docs, hard sentences, wide types, migrations, histories.
 *
 * @example node_modules/.bin/node dev/house/count.ts --json
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commentsOf, type Passage } from './comments.ts';
import { passagesOf } from './documents.ts';
import { actorlessWords, isHeadless, isLong, sentencesOf, wordsIn } from './prose.ts';
import { isCommentedFile, isServiceFile, readSource, REPOSITORY, trackedPaths } from './source-file.ts';
import { isTableRow, wideTypesOf } from './wide-types.ts';

const HELP = `node dev/house/count.ts [--json]

Counts, over the files that git tracks:
  comments   words, sentences, headless openings, nobody/somebody/whoever, sentences over 40 words
             (code outside of test/, without generated files)
  docs       the same of every Markdown page; its words with tables and code, its sentences without code blocks
  types      interfaces and object types with more than 15 members, without rows of tables
  past       migrations, calls of patched(), lines of recorded histories
  service    files and lines of api activities chain client config db domain observe ops web worker workflows

  --json     print the figures, and the types by name, as JSON
  --help     print this text
`;

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
const linesOf = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const proseFigures = (passages: readonly Passage[]) => {
  const sentences = passages.flatMap(sentencesOf);
  return {
    passages: passages.length,
    words: sum(passages.map(({ text }) => wordsIn(text))),
    sentences: sentences.length,
    headlessOpenings: sentences.filter(isHeadless).length,
    nobodySomebodyWhoever: sum(sentences.map(actorlessWords)),
    sentencesOver40Words: sentences.filter(isLong).length,
  };
};

const figures = () => {
  const paths = trackedPaths();
  const code = paths.filter(isCommentedFile).map(readSource);
  const service = paths.filter(isServiceFile).map(readSource);
  const histories = paths.filter((path) => /^test\/fixtures\/histories\/.*\.json$/.test(path)).map(readSource);
  const pages = paths.filter((path) => path.endsWith('.md')).map(readSource);
  const wide = code.filter(({ path }) => /\.tsx?$/.test(path)).flatMap(wideTypesOf);
  return {
    comments: proseFigures(code.flatMap(commentsOf)),
    docs: { ...proseFigures(pages.flatMap(passagesOf)), words: sum(pages.map(({ text }) => text.split(/\s+/).length)) },
    wideTypes: wide.filter((type) => !isTableRow(type)),
    past: {
      migrations: readdirSync(join(REPOSITORY, 'db/migrations')).filter((name) => /^\d+-/.test(name)).length,
      patchedCalls: sum(service.map(({ text }) => text.match(/\bpatched\(/g)?.length ?? 0)),
      historyFiles: histories.length,
      historyLines: sum(histories.map(({ text }) => linesOf(text))),
    },
    service: { files: service.length, lines: sum(service.map(({ text }) => linesOf(text))) },
  };
};

const printed = ({ wideTypes, ...groups }: ReturnType<typeof figures>): string => {
  const lines = Object.entries(groups).flatMap(([group, counts]) =>
    Object.entries(counts).map(([name, count]) => `${group}.${name}`.padEnd(36) + count.toLocaleString('en')),
  );
  const wide = wideTypes.map(({ path, name, members }) => `  ${members} ${name} (${path})`);
  return [...lines, 'types over 15 members'.padEnd(36) + wideTypes.length, ...wide, ''].join('\n');
};

const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help === true) process.stdout.write(HELP);
else if (values.json === true) process.stdout.write(`${JSON.stringify(figures(), null, 2)}\n`);
else process.stdout.write(printed(figures()));
