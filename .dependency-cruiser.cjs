// Checked by `npm run imports`; see docs/architecture.md.
const only = (from, ...allowed) => ({
  name: `${from}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${from}/` },
  // 'core': node:timers/promises looks like a folder of ours.
  to: { path: `^(?!(${[from, ...allowed].join('|')}|node_modules)/)[a-z]+/`, dependencyTypesNot: ['core'] },
});

/** Each names one process, and its room in every layer. */
const NOUNS = ['launch', 'airdrop', 'claim', 'market', 'fee-sweep', 'buyback', 'reward', 'restock'];
/** Other nouns that a noun may import, and why. */
const NEIGHBOURS = {
  // A quote freezes its airdrop's recipients; recording a launch plans it and opens its token's figures.
  launch: ['airdrop', 'market'],
  // A share of a launch, delivered from its wallet by its terms.
  airdrop: ['launch'],
  claim: [],
  // A token's links and opening price are those of its launch's terms.
  market: ['launch'],
  // The deposit's tax follows from the launch's terms.
  'fee-sweep': ['launch'],
  buyback: [],
  // A coin's first sweep burns its deposit's tax: until then it stays in the vault, and what was withdrawn beside it is
  // the pot's.
  reward: ['fee-sweep'],
  // Quote tokens are counted in lamports as dev buys pay for them.
  restock: ['launch'],
};
const roomOf = (nouns) => ({ path: `^[^/]+/(commands/)?(${nouns.join('|')})/`, pathNot: '^(test|bench|dev)/' });
const rooms = NOUNS.map((noun) => {
  const strangers = NOUNS.filter((other) => other !== noun && !NEIGHBOURS[noun].includes(other));
  return {
    name: `${noun}-imports-no-room-but-${[noun, ...NEIGHBOURS[noun]].join('-')}`,
    severity: 'error',
    from: roomOf([noun]),
    to: roomOf(strangers),
  };
});

module.exports = {
  forbidden: [
    ...rooms,
    {
      // Nouns hand it what is theirs, as legs, endings and checks: worker/money.
      name: 'the-money-mechanism-knows-no-noun',
      severity: 'error',
      from: { path: '^(activities|db|domain)/money/' },
      to: roomOf(NOUNS),
    },
    // Circles of types count too: two files that need each other are one concept, or hide a third.
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    // The site's build puts Preact in this package's place.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^react-dom/' } },
    {
      name: 'no-dev-dependency-in-service',
      severity: 'error',
      from: { path: '^(api|activities|chain|client|config|db|domain|observe|worker|workflows|ops)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    // Documents are sealed by the tree and the JSON that the client verifies them by.
    only('domain', 'client/proof'),
    // A package of its own: it knows the service by its documents alone.
    only('client'),
    // Files that are copied into other repositories.
    only('integrations'),
    // By that package alone. A local chain's parts are handed in from dev/site.
    only('web', 'client'),
    {
      // Runs in browsers beside the product's site; the stand-in's collection knows the client alone.
      name: 'local-site-imports-only-web-client-and-the-collection',
      severity: 'error',
      from: { path: '^dev/(site/|stand-in/collection\\.ts$)' },
      to: {
        path: '^(?!(web|client|dev/site|node_modules)/|dev/stand-in/collection\\.ts$)[a-z]+/',
        dependencyTypesNot: ['core'],
      },
    },
    only('config', 'domain'),
    only('observe', 'domain'),
    only('chain', 'domain'),
    only('db', 'domain'),
    only('workflows', 'domain', 'activities'),
    {
      name: 'workflows-take-only-types-of-activities',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    only('activities', 'chain', 'db', 'domain'),
    {
      // Other importers would decode in their own process. .oxlintrc.json forbids `sharp` itself.
      name: 'only-the-decoder-process-imports-its-decoder',
      severity: 'error',
      from: {
        path: '^(api|activities|chain|config|db|domain|observe|worker|workflows|ops)/',
        pathNot: '^chain/storage/decoder/(decoder-process|normalise)\\.ts$',
      },
      to: { path: '^chain/storage/decoder/(three-loaders|normalise)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      // Money is moved, planned and booked by a quorum's mints: chain/tokens/agreed-tokens.ts.
      name: 'activities-read-no-mint-of-one-endpoint',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^chain/tokens/token-info\\.ts$' },
    },
    {
      // Where value leaves or a figure is booked, prices are spendable: domain/trading/spendable-price.ts.
      name: 'what-signs-and-books-knows-no-spot-price',
      severity: 'error',
      from: {
        path: '^(activities|db|domain|workflows)/',
        pathNot: [
          // They read and record prices.
          '^activities/trading/(observed-price|spendable-prices)\\.ts$',
          // The index shows swaps at their moment's price; a pool opens at it; a reward round records prices.
          '^activities/(market|launch|reward)/deps\\.ts$',
        ],
      },
      to: { path: '^chain/prices/' },
    },
    {
      // An observed price is a spot price.
      name: 'observed-prices-are-shown-and-written-down',
      severity: 'error',
      from: {
        path: '^activities/',
        pathNot: [
          '^activities/trading/spendable-prices\\.ts$',
          '^activities/market/quote-prices\\.ts$',
          '^activities/reward/snapshots\\.ts$',
        ],
      },
      to: { path: '^activities/trading/observed-price\\.ts$' },
    },
    {
      // Signers take a CheckedMessage: these sign bytes that were compared with nothing.
      name: 'only-signers-sign-bytes',
      severity: 'error',
      from: {
        path: '^(activities|api|chain|config|db|domain|observe|ops|worker|workflows)/',
        pathNot: '^chain/(keys|signers)/',
      },
      to: { path: '^chain/keys/ed25519\\.ts$' },
    },
    only('worker', 'workflows', 'activities', 'chain', 'config', 'db', 'domain', 'observe'),
    only('api', 'chain', 'config', 'db', 'domain', 'observe', 'workflows'),
    {
      name: 'api-takes-only-messages-of-workflows',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: '^workflows/(?![a-z-]+/messages\\.ts$)' },
    },
    only('ops', 'chain', 'config', 'db', 'domain', 'workflows'),
    {
      name: 'ops-takes-only-messages-of-workflows',
      severity: 'error',
      from: { path: '^ops/' },
      // And the names of the task queues.
      to: { path: '^workflows/(?!([a-z-]+/messages|start|task-queues)\\.ts$)' },
    },
    {
      // The desk mints money and the stand-in has no program: image and client hold neither, no variable chooses them.
      // dev/local hands them in.
      name: 'service-never-imports-dev',
      severity: 'error',
      from: { path: '^(api|activities|chain|config|db|domain|observe|worker|workflows|ops)/' },
      to: { path: '^((?!client/proof/)client|web|dev|test|bench|integrations)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // In the graph, not followed: the rule about development packages reads them.
    exclude: { path: '^(client|web)/dist|^test/clients/generators/|^test/campaigns/stream-libraries/readers/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
