import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestTemporal } from '../setup/temporal.ts';
import { commandsOf } from '../support/deploy/page/commands.ts';
import { fillIn, PASSWORDS, setVariable } from '../support/deploy/page/fill-in.ts';
import { layOutService } from '../support/deploy/page/lay-out.ts';
import { LACKING, type Machine, startMachine } from '../support/deploy/page/machine.ts';
import { NOT_RUN } from '../support/deploy/page/not-run.ts';
import { type Premises, startPremises } from '../support/deploy/page/premises.ts';
import { HOSTS } from '../support/deploy/page/tls.ts';
import { LOGO_BYTES } from '../support/platform/logo.ts';

const PROJECT = join(import.meta.dirname, '../..');
const COMMANDS = commandsOf(readFileSync(join(PROJECT, 'docs/deploy.md'), 'utf8'));

/** Wallets that sign, by files; `former` is a treasury of another platform. */
const KEYS = ['treasury', 'platform', 'rewards', 'former'];

let machine: Machine;
let premises: Premises;
/** The quote token of the set-up. */
let mint: string;
/** What the worker's doctor printed last. */
let examined = '';

/** Runs a line, which must end with this status. Returns what it printed. */
async function run(line: string, status = 0): Promise<string> {
  const ran = await machine.run(line);
  expect(ran.status, `${line}\n${ran.printed}`).toBe(status);
  return ran.printed;
}

/** The lines of a doctor that are problems. */
const problemsIn = (printed: string) => [...printed.matchAll(/^problem {2}([a-z ]+): /gm)].map(([, check]) => check);

const asIs = (line: string) => async () => void (await run(line));
const asSql = (line: string, database?: string) => async () => void (await premises.sql(line, database));

/** How each command is run that can be, and what it must show. */
const STEPS: Readonly<Record<string, () => Promise<void>>> = {
  "create role slipway login password '…'": asSql(`create role slipway login password '${PASSWORDS.slipway}'`),
  'create database slipway owner slipway': asSql('create database slipway owner slipway'),
  "alter role slipway set statement_timeout = '15s'": asSql("alter role slipway set statement_timeout = '15s'"),
  'temporal operator namespace create --namespace slipway --retention 720h': () =>
    // Of a server that has just started, the first answer may come before it knows its own cluster.
    machine.until(
      `temporal operator namespace create --namespace slipway --retention 720h --address 127.0.0.1:7243`,
      'the namespace',
    ),
  'deploy/build-image.sh': asIs('deploy/build-image.sh'),
  'install -d -m 700 /etc/slipway /etc/slipway/api /etc/slipway/worker /etc/slipway/migrate': asIs(
    'install -d -m 700 /etc/slipway /etc/slipway/api /etc/slipway/worker /etc/slipway/migrate',
  ),
  [`deploy/run-image.sh --entrypoint node slipway:service -p "JSON.stringify([...require('@solana/web3.js').Keypair.generate().secretKey])" > /etc/slipway/worker/treasury.json`]:
    async () => {
      const line = COMMANDS.find((one) => one.endsWith('> /etc/slipway/worker/treasury.json')) ?? '';
      for (const name of KEYS) await run(line.replace('treasury.json', `${name}.json`));
    },
  'openssl rand -base64 32': async () => expect(await run('openssl rand -base64 32')).toMatch(/^[\w+/]{43}=$/m),
  'openssl rand -base64 32 > /etc/slipway/worker/arweave.key': async () => {
    await run('openssl rand -base64 32 > /etc/slipway/worker/arweave.key');
    await run('cp /etc/slipway/worker/arweave.key /etc/slipway/api && touch /etc/slipway/worker/backup-stamp');
    await run(`for of in api worker migrate; do cp ${premises.tls.authorityFile} /etc/slipway/$of/ca.pem; done`);
    fillIn(machine);
  },
  'chown -R 10001 /etc/slipway && chmod -R u=rwX,go= /etc/slipway': asIs(
    'chown -R 10001 /etc/slipway && chmod -R u=rwX,go= /etc/slipway',
  ),
  "create role slipway_api login password '…'": asSql(
    `create role slipway_api login password '${PASSWORDS.slipway_api}'`,
  ),
  'grant slipway_api to slipway': asSql('grant slipway_api to slipway'),
  'revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public': asSql(
    'revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public',
    'slipway',
  ),
  ...Object.fromEntries(
    COMMANDS.filter((one) => /^alias slipway(?!-compose)/.test(one)).map((one) => [one, asIs(one)]),
  ),
  'slipway-api-with "$(slipway-image)" ops doctor --of api': async () => {
    const printed = await run('slipway-api-with "$(slipway-image)" ops doctor --of api', 1);
    expect(printed).toContain('the api takes its variables');
    // The others wait for the schema.
    expect(problemsIn(printed)).toContain('schema');
    expect(printed).toContain('npm run migrate -- up');
  },
  'slipway ops doctor --of worker': async () => {
    examined = await run('slipway ops doctor --of worker', 1);
    expect(examined).toContain('the worker takes its variables');
    expect(examined).toContain('both endpoints are needed');
    expect(examined).toContain('temporal.internal:7233 has namespace "slipway"');
    const [, treasury = ''] = /TREASURY_ADDRESS=(\w+)/.exec(examined) ?? [];
    setVariable(machine, 'api', 'TREASURY_ADDRESS', treasury);
  },
  [`slipway-with --entrypoint node slipway:service -p "require('@solana/web3.js').Keypair.fromSeed(Buffer.from(fs.readFileSync(process.env.ARWEAVE_KEY_FILE, 'utf8'), 'base64')).publicKey.toBase58()"`]:
    async () => {
      const line = COMMANDS.find((one) => one.includes('ARWEAVE_KEY_FILE')) ?? '';
      expect(await run(line)).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}\n$/);
    },
  'deploy/run-image.sh --env-file deploy/migrate.env -v /etc/slipway/migrate:/run/secrets:ro "$(slipway-image)" migrate up':
    async () => {
      const line = COMMANDS.find((one) => one.endsWith('migrate up') && one.includes('migrate.env')) ?? '';
      const printed = await run(line);
      expect(printed).toContain('0001-baseline');
      expect(printed).toContain('granted: 1\n  slipway_api');
    },
  "slipway ops lanes make --seed seed-1 --note 'set up' --yes": async () => {
    await premises.onChain('fund', ...[...examined.matchAll(/signs as (\w+)/g)].map(([, address = '']) => address));
    const make = (more = '') => `ops lanes make --seed seed-1 --note 'set up' ${more}`;
    // An operator who has named another platform's treasury first has a way back.
    const wrong = '-e TREASURY_SIGNER=file:/run/secrets/former.json "$(slipway-image)"';
    expect(await run(`slipway-with ${wrong} ${make()}`, 1)).toContain('four of them belong to the treasury');
    expect(await run(`slipway-with ${wrong} ${make('--yes')}`)).toMatch(/made +132/);
    expect(await run(`slipway ${make('--yes')}`, 1)).toContain('--former-treasury');
    const back = await run(`slipway ${make('--yes --former-treasury file:/run/secrets/former.json')}`);
    expect(back).toMatch(/4 lanes go from \w+ to the treasury/);
    expect(back).toMatch(/made +0/);
    expect(await run(`slipway ${make('--yes')}`)).toMatch(/made +0/);
    expect(await run('slipway ops doctor --of worker', 1)).toContain('all 132 are on the chain and in the database');
  },
  'slipway ops pairs add MINT --symbol USDC --category stablecoins --price-source pyth --price-id FEED': async () => {
    mint = await premises.onChain('mint');
    const line = (feed: string) =>
      `slipway ops pairs add ${mint} --symbol USDC --category stablecoins --price-source pyth --price-id ${feed}`;
    expect(await run(line('d'.repeat(64)))).toContain('it is not launchable, because nothing answers its price');
    expect(await run(line('c'.repeat(64)))).toContain('is listed in stablecoins\n');
  },
  'slipway ops lookup-table create': async () => {
    const printed = await run('slipway ops lookup-table create');
    const [, table = ''] = /table +(\w+)/.exec(printed) ?? [];
    setVariable(machine, 'shared', 'LOOKUP_TABLE', table);
    // Where the page ends on a local chain: it has no Raydium, and no command makes up for that.
    for (const doctor of [
      'slipway-api-with "$(slipway-image)" ops doctor --of api',
      'slipway ops doctor --of worker',
    ]) {
      const found = await run(doctor, 1);
      expect(found).toContain('SOLANA_RPC_URL leads to another chain than this exchange is on');
      expect(new Set(problemsIn(found)), found).toEqual(new Set(NEEDS_MAINNET));
    }
  },
  'slipway-api-with -e PORT=8081 -e API_METRICS_PORT=9091 slipway:service api': async () => {
    for (const number of [1, 2])
      machine.start(
        `api-${number}`,
        `slipway-api-with -e PORT=808${number} -e API_METRICS_PORT=909${number} slipway:service api`,
      );
    for (const number of [1, 2]) await machine.until(`curl -sf http://127.0.0.1:808${number}/readyz`, `API ${number}`);
  },
  'slipway-with -e WORKER_PORT=8071 slipway:service worker': async () => {
    for (const number of [1, 2])
      machine.start(`worker-${number}`, `slipway-with -e WORKER_PORT=807${number} slipway:service worker`);
    for (const number of [1, 2])
      await machine.until(`curl -sf http://127.0.0.1:807${number}/readyz`, `worker ${number}`);
  },
  ...Object.fromEntries(COMMANDS.filter((one) => one.startsWith('sed -e')).map((one) => [one, asIs(one)])),
  'FRONT_ADDRESSES=127.0.0.1 haproxy -db -f haproxy.cfg': async () => {
    // As many connections as this machine's processes may have, in place of 20,000.
    await run("sed -i 's/maxconn 20000/maxconn 500/' haproxy.cfg");
    machine.start('proxy', 'FRONT_ADDRESSES=127.0.0.1 exec haproxy -db -f haproxy.cfg');
    await machine.until('curl -sf https://your.site/readyz', 'the proxy');
    expect(await run('curl -sfi https://your.site/healthz')).toMatch(/^x-apis-behind: 2\r$/m);
    expect(await run('curl -sf https://your.site/api/public/v1/pairs')).toContain(mint);
    expect(await run('curl -sf https://your.site/')).toContain('<script');
  },
  'slipway ops status': async () => {
    const named = (...ports: number[]) => ports.map((port) => `http://127.0.0.1:${port}`).join(',');
    const line = `slipway-with -e API_URLS=${named(8081, 8082)} -e WORKER_URLS=${named(8071, 8072)} "$(slipway-image)" ops status`;
    const printed = (await machine.run(line)).printed;
    expect(printed).not.toMatch(/does not answer|is not ready/);
  },
  [COMMANDS.find((one) => one.startsWith('node_modules/.bin/node client/cli/main.ts launch')) ?? '']: async () => {
    const line = COMMANDS.find((one) => one.startsWith('node_modules/.bin/node client/cli/main.ts launch')) ?? '';
    writeFileSync(join(machine.folder, 'logo.png'), LOGO_BYTES);
    copyFileSync(join(machine.directory, 'etc/slipway/worker/rewards.json'), join(machine.folder, 'wallet.json'));
    const here = line
      .replace('node_modules/.bin/node client/cli/main.ts', `${process.execPath} ${PROJECT}/client/cli/main.ts`)
      .replace('MINT', mint);
    // The client asks again while a fee tier is closed.
    const ran = await machine.run(`timeout 25 ${here}`, { NODE_EXTRA_CA_CERTS: premises.tls.authorityFile });
    expect(ran.status).not.toBe(0);
    expect([1, 2].map((number) => machine.printedBy(`api-${number}`)).join('\n')).toMatch(
      /"route":"\/api\/public\/v1\/launches\/prepare".*the 1% tier is closed: there is no configuration/,
    );
  },
  'slipway ops launches list': asIs('slipway ops launches list'),
  'slipway ops switches': async () => {
    const printed = await run('slipway ops switches');
    expect(printed).toMatch(/launching +on/);
    for (const name of ['devBuys', 'airdrops', 'rewardLaunches'])
      expect(printed).toMatch(new RegExp(`${name} +(off|closed)`));
  },
  'slipway ops switches set devBuys on': asIs('slipway ops switches set devBuys on'),
  'df -h': asIs('df -h'),
  'deploy/build-image.sh --tag slipway:2026-12-01': asIs('deploy/build-image.sh --tag slipway:2026-12-01'),
  "sed -i 's/^SLIPWAY_IMAGE=.*/SLIPWAY_IMAGE=slipway:2026-12-01/' deploy/compose.env": async () => {
    await run("sed -i 's/^SLIPWAY_IMAGE=.*/SLIPWAY_IMAGE=slipway:2026-12-01/' deploy/compose.env");
    expect(await run('slipway-image')).toBe('slipway:2026-12-01\n');
    const migrate = COMMANDS.find((one) => one.endsWith('migrate up') && one.includes('migrate.env')) ?? '';
    expect(await run(migrate)).toContain('ran: 0');
  },
  'grant pg_monitor to slipway, slipway_api': asSql('grant pg_monitor to slipway, slipway_api'),
};

/** Checks of the doctor that fail on every chain but mainnet and a fork of it. */
const NEEDS_MAINNET = ['programs', 'exchange'];

const lacking = process.getuid?.() === 0 ? LACKING : ['root', ...LACKING];

it('every command of docs/deploy.md is run here, or has its reason why not', () => {
  const known = [...Object.keys(STEPS), ...Object.keys(NOT_RUN)];
  expect(COMMANDS.filter((one) => !known.includes(one))).toEqual([]);
  expect(known.filter((one) => !COMMANDS.includes(one))).toEqual([]);
  expect(Object.keys(NOT_RUN).filter((one) => one in STEPS)).toEqual([]);
});

it('a command that nobody knows would be found', () => {
  const page =
    'First `kubectl drain node-1`.\n\n```sh\nslipway ops lanes break   # a remark\nwrapped \\\n  line\n```\n';
  expect(commandsOf(page)).toEqual(['kubectl drain node-1', 'slipway ops lanes break', 'wrapped line']);
});

describe.skipIf(lacking.length > 0)(
  `docs/deploy.md in production, top to bottom, on a machine of its own (skipped without ${lacking.join(', ') || 'nothing'})`,
  () => {
    beforeAll(async () => {
      machine = await startMachine(HOSTS);
      const { cli } = await createTestTemporal();
      symlinkSync(cli, join(machine.directory, 'bin/temporal'));
      [premises] = await Promise.all([startPremises(machine, cli), layOutService(machine)]);
    });
    afterAll(() => machine?.stop());

    for (const command of COMMANDS.filter((one) => one in STEPS)) it(command, () => STEPS[command]?.());
  },
);
