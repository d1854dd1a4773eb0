import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporalPart } from '../../../dev/stack/temporal/server.ts';

const ROOT = join(import.meta.dirname, '../../..');
const compose = readFileSync(join(ROOT, 'temporal-docker-compose.yml'), 'utf8');

/** The values of all lines that look like the pattern's, without comments. */
function values(pattern: RegExp): string[] {
  const lines = compose.split('\n').filter((line) => !line.trim().startsWith('#'));
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** Images that are built here; all others come from elsewhere. */
const OWN = /^(slipway:|\$\{SLIPWAY_IMAGE)/;

const DynamicConfigSchema = Type.Record(Type.String(), Type.Tuple([Type.Object({ value: Type.Unknown() })]));

const ProfilesSchema = Type.Object({
  services: Type.Record(Type.String(), Type.Object({ profiles: Type.Optional(Type.Array(Type.String())) })),
});

test('every image from elsewhere is pinned to a version', () => {
  const images = values(/^ +image: (.*)$/).filter((image) => !OWN.test(image));
  expect(images).toHaveLength(7);
  for (const image of images) expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+/);
});

test('every published port is on loopback', () => {
  const ports = values(/^ +- '?([^']*\d:\d+)'?$/);
  expect(ports).toHaveLength(7);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('the server in a container has the same dynamic configuration as the embedded one', () => {
  const [file = ''] = values(/^ +- \.\/(.*?):\/etc\/temporal\//);
  expect(existsSync(join(ROOT, file))).toBe(true);
  const settings = Value.Parse(DynamicConfigSchema, parse(readFileSync(join(ROOT, file), 'utf8')));
  const { args } = temporalPart({
    binary: 'temporal',
    databaseFile: 'temporal.db',
    namespace: 'default',
    port: 1,
    ui: null,
    httpPort: 3,
    metricsPort: 4,
    temporaryDirectory: 'tmp',
  });
  const embedded = args.filter((_, index) => args[index - 1] === '--dynamic-config-value');
  expect(Object.entries(settings).map(([key, [{ value }]]) => `${key}=${JSON.stringify(value)}`)).toEqual(embedded);
});

test('a deployment has no UI of Temporal, which lets everybody in who reaches its port', () => {
  const { services } = Value.Parse(ProfilesSchema, parse(compose, { merge: true, maxAliasCount: -1 }));
  expect(services['temporal-ui']?.profiles).toEqual(['local', 'ui']);
  for (const [name, { profiles = [] }] of Object.entries(services)) {
    if (profiles.includes('service')) expect(name).not.toMatch(/ui$/);
  }
});
