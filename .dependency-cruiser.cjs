// The import directions of docs/architecture.md, checked by `npm run imports`.
const only = (from, ...allowed) => ({
  name: `${from}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${from}/` },
  // 'core': node:timers/promises looks like a folder of ours.
  to: { path: `^(?!(${[from, ...allowed].join('|')}|node_modules)/)[a-z]+/`, dependencyTypesNot: ['core'] },
});

/** The nouns: each names one process, and its room in every layer. */
const NOUNS = ['launch', 'airdrop', 'claim', 'market', 'fee-sweep', 'buyback', 'reward', 'restock'];
/** Whose rooms a noun's room may import, and why. */
const NEIGHBOURS = {
  // A quote freezes who gets its airdrop, and recording a launch plans it and opens the figures of its token.
  launch: ['airdrop', 'market'],
  // It is a share of a launch, delivered from its wallet by its terms.
  airdrop: ['launch'],
  claim: [],
  // Links and opening price of a token are those of its launch's terms.
  market: ['launch'],
  // The tax withheld at the deposit follows from the launch's terms.
  'fee-sweep': ['launch'],
  buyback: [],
  // The first sweep of a coin burns the tax of its deposit: until then it stays in the vault, and what was withdrawn beside it is the pot's.
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
    // Circles of types only count too: two files that need each other's words are one concept, or hide a third.
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    // The build of the site puts Preact in the place of this package, which nothing installs.
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^react-dom/' } },
    {
      name: 'no-dev-dependency-in-service',
      severity: 'error',
      from: { path: '^(api|activities|chain|client|config|db|domain|observe|worker|workflows|ops)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    only('domain'),
    // A package of its own: it knows the service by its documents alone.
    only('client'),
    // The site knows the service by that package alone.
    only('web', 'client'),
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
      // What is moved, planned and booked by a mint is a quorum's word: chain/tokens/agreed-tokens.ts.
      name: 'activities-read-no-mint-of-one-endpoint',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^chain/tokens/token-info\\.ts$' },
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
      name: 'service-never-imports-dev',
      severity: 'error',
      from: { path: '^(api|activities|chain|config|db|domain|observe|worker|workflows|ops)/' },
      to: { path: '^(client|web|dev|test|bench)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|(client|web)/dist)' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
