/** Where a block of code in a page is run, or why it is not. */
export type Cover = { readonly test: string } | { readonly because: string };

const OPERATOR = 'test/docs/commands.test.ts parses each line by the operator’s program';
const SERVERS =
  'needs two database servers; the drill does the same by its own paths (test/campaigns/drill/standby.ts)';
const DOCKER = 'needs Docker or root; test/deploy/set-up.campaign.test.ts starts the same commands from this checkout';
const CLUSTER = 'needs a Kubernetes cluster; test/deploy/image.test.ts and keys.test.ts read the manifests';
const REQUESTS = { test: 'test/api/docs-requests.campaign.test.ts' };
const INSTALL = { test: 'test/client/install.campaign.test.ts' };
const LAUNCH = { test: 'test/launch/docs.campaign.test.ts' };
const CLONE = { because: 'clones this repository; .ci/run does so before every suite' };

/** By page and by how the block begins. */
export const CODE_BLOCKS: Readonly<Record<string, Readonly<Record<string, Cover>>>> = {
  'README.md': { 'git clone': CLONE },
  'CONTRIBUTING.md': { 'git clone': CLONE },
  'client/README.md': {
    'npm i "$(curl': INSTALL,
    'import { claim': {
      because: 'a sketch with the reader’s own keys; test/client/launch.test.ts and claim.test.ts call the same',
    },
    'for await (const { tokens }': {
      because: 'a sketch with the reader’s own functions; test/client/pages.test.ts reads by them',
    },
  },
  'docs/build-on-it.md': { 'API=$(node': REQUESTS },
  'docs/database.md': { 'npm run migrate': { test: 'test/db/migrate.test.ts' } },
  'docs/deploy.md': {
    'docker compose': { because: DOCKER },
    'deploy/build-image.sh && deploy/build-image.sh': { because: DOCKER },
    'deploy/build-image.sh\n': { because: DOCKER },
    'alias slipway-image': { because: DOCKER },
    'slipway-api-with': { because: DOCKER },
    'node_modules/.bin/node client/cli/main.ts launch': { test: 'test/client/cli.test.ts' },
    'docker run': { because: DOCKER },
    'deploy/build-image.sh --tag': { because: DOCKER },
    'kubectl -n slipway delete': { because: CLUSTER },
    'temporal worker deployment': {
      because: 'needs named releases; test/campaigns/drill makes one current by the same call',
    },
    'npm run drill': { because: 'minutes on a quiet machine; test/campaigns/drill runs the same program' },
    'psql -h db1 -c "create role': { because: SERVERS },
    'psql -h db1 -c "select count': { because: SERVERS },
  },
  'docs/events.md': {
    'curl -s': REQUESTS,
    "let cursor = 'now'": { test: 'test/events/browser-example.campaign.test.ts' },
  },
  'docs/get-paid.md': { 'import { readFileSync': { test: 'test/claim/docs.campaign.test.ts' } },
  'docs/launch-a-token.md': {
    'npm i "$(curl': INSTALL,
    'import { readFileSync': LAUNCH,
    'const transaction': { because: 'three ways to sign; test/wallets signs by each' },
    'JSON=': LAUNCH,
  },
  'docs/mainnet.md': {
    'npm run conformance': { because: 'needs mainnet; test/campaigns/conformance runs it on the local chain' },
  },
  'docs/market-data.md': { 'curl -s': REQUESTS },
  'docs/runbook-money.md': {
    'npm run ops -- inventory': { because: OPERATOR },
    'export PLATFORM_SIGNER': { because: OPERATOR },
    'npm run ops -- books': { because: OPERATOR },
  },
  'docs/runbook.md': {
    'npm run ops -- status': { because: OPERATOR },
    'npm run ops -- launches show': { because: OPERATOR },
    'npm run ops -- launches list': { because: OPERATOR },
    'npm run ops -- switches': { because: OPERATOR },
    'select quote_id': { because: 'reads columns that test/db/catalogue.test.ts holds; a drill of keys is by hand' },
    'select pid': { because: 'ends other programs’ transactions; needs a superuser' },
  },
  'docs/testing.md': { 'npm run planted-bugs': { because: '.ci/run plants every bug by the same command' } },
  'docs/verify.md': {
    'npm i -g "$(curl': INSTALL,
    'curl -s "$API/tokens/$MINT/rewards/rounds': {
      because: 'names the round for the command below it, which test/proof runs',
    },
    'curl -s "$API/launches/': { because: 'keeps the receipt for the command below it, which test/proof runs' },
  },
};
