import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApi } from '../../../client/index.ts';
import { errorText } from '../../../domain/error-text.ts';
import { testApp } from '../../support/api/test-app.ts';
import { operationsOf } from '../../support/clients/operations.ts';
import { campaignCommand, runCampaign } from '../command.ts';
import { codeIn, DOCUMENTS, FURTHER, runArtillery, runK6, writeK6Script } from './further.ts';

interface Options {
  readonly only?: string;
  readonly url?: string;
}

async function main({ only = '', url }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-generators-'));
  try {
    await writeDocuments(folder);
    for (const { name, files, make, called } of FURTHER.filter((generator) => generator.name.includes(only)))
      for (const file of files)
        await told(`${name}, ${file}`, async () => {
          const out = join(folder, `${name}-${file}`);
          mkdirSync(out);
          await make(join(folder, file), out);
          const [operations, code] = [operationsOf(readFileSync(join(folder, file), 'utf8')), codeIn(out)];
          const absent = operations.filter(({ id }) => !called(id).test(code)).map(({ id }) => id);
          if (absent.length > 0) throw new Error(`without ${absent.join(', ')}`);
          return `${operations.length} operations, compiled`;
        });
    if (url !== undefined) {
      const values = await launchedAt(url);
      await told('k6, openapi.full.json', () => loadOnce(folder, url, values));
      await told('artillery, openapi.full.json', () => readOnce(folder, url, values));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeDocuments(folder: string): Promise<void> {
  const app = await testApp();
  for (const file of DOCUMENTS) writeFileSync(join(folder, file), (await app.inject(`/api/public/v1/${file}`)).body);
  await app.close();
}

async function told(what: string, act: () => Promise<string>): Promise<void> {
  try {
    console.log(`${what}: ${await act()}`);
  } catch (error) {
    console.log(`${what}: failed: ${errorText(error).slice(0, 2_000)}`);
    process.exitCode = 1;
  }
}

/** A launched token's own values for the paths of a document. */
type PathValues = Readonly<Record<string, string>>;

async function launchedAt(url: string): Promise<PathValues> {
  const { launches } = await createApi({ url }).ask('GET /launches', {});
  const [launch] = launches;
  if (!launch) throw new Error('nothing was launched there');
  return { mint: launch.mint, wallet: launch.creator, paymentSignature: launch.paymentSignature };
}

/** Runs the load test of the document once, with these values in its paths; the rest is left empty. */
async function loadOnce(folder: string, url: string, values: PathValues): Promise<string> {
  const script = await writeK6Script(join(folder, 'openapi.full.json'), join(folder, 'k6'));
  writeFileSync(script, filled(readFileSync(script, 'utf8'), url, values));
  const printed = await runK6(script);
  const broken = printed.split('\n').filter((line) => / status 5\d\d/.test(line));
  if (broken.length > 0) throw new Error(broken.join('\n'));
  return printed
    .replaceAll(/\s+/g, ' ')
    .replace(/.*checks_total/, 'checks_total')
    .slice(0, 200);
}

/** Has artillery ask for every read of the document whose path these values fill. */
async function readOnce(folder: string, url: string, values: PathValues): Promise<string> {
  const reads = operationsOf(readFileSync(join(folder, 'openapi.full.json'), 'utf8')).filter(
    ({ method }) => method === 'get',
  );
  const paths = reads.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all));
  const { origin, pathname } = new URL(url);
  const known = paths.filter((path) => !path.includes('{'));
  const statuses = await runArtillery(
    join(folder, 'artillery'),
    origin,
    known.map((path) => pathname + path),
  );
  const counts = Object.entries(statuses).map(([status, count]) => `${count} times ${status}`);
  const summary = `${known.length} of ${reads.length} reads: ${counts.join(', ')}`;
  if (Object.keys(statuses).some((status) => status.startsWith('5'))) throw new Error(summary);
  return summary;
}

const CHECK = '"Success": (r) => r.status === 200';
const TOLD =
  '"Success": (r) => { if (r.status >= 500) console.log(`${r.url} status ${r.status}`); return r.status === 200; }';

function filled(script: string, url: string, values: PathValues): string {
  return script
    .replace(/const BASE_URL = .*/, `const BASE_URL = ${JSON.stringify(url)};`)
    .replaceAll(CHECK, TOLD)
    .split(/(?=^ {4}group\()/m)
    .map((group) => {
      const path = /group\("([^"]+)"/.exec(group)?.[1] ?? '';
      return group.replaceAll(/let (\w+) = 'TODO_EDIT_THE_.*/g, (_, name: string) => {
        return `let ${name} = ${JSON.stringify(path.includes(`{${name}}`) ? (values[name] ?? '') : '')};`;
      });
    })
    .join('');
}

const program = campaignCommand({
  name: 'generators',
  description:
    'Generate clients by further generators (ogen, swagger-codegen, progenitor) from the OpenAPI documents, and compile them.',
  more: '\nNeeds Go, Java, Maven and Rust. Exit status: 0 all compiled, 1 something did not, 2 wrong usage.',
})
  .option('--only <name>', 'only generators whose name has this text')
  .option('--url <url>', 'API of a stack that runs: k6 and artillery run the document against it, once')
  .action(main);

await runCampaign('generators', program);
process.exit();
