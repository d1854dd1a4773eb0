import { type Arrow, type Box, drawDiagram } from './svg.ts';

type Part = 'wallet' | 'client' | 'api' | 'temporal' | 'worker' | 'database' | 'chain' | 'store' | 'verify';

const BOXES: Readonly<Record<Part, Box>> = {
  wallet: {
    column: 0,
    row: 0,
    title: 'Creator’s wallet',
    lines: ['signs one payment;', 'its key never leaves'],
    tone: 'good',
  },
  client: {
    column: 0,
    row: 1.1,
    title: 'Site, client, agents',
    lines: ['check what is signed;', 'hold no key of others'],
    tone: 'plain',
  },
  api: {
    column: 1,
    row: 1.1,
    title: 'API',
    lines: ['proposes and reads;', 'no key that moves money,', 'writes nothing paid'],
    tone: 'plain',
  },
  temporal: { column: 2, row: 0, title: 'Temporal', lines: ['keeps progress;', 'may lose all of it'], tone: 'plain' },
  database: {
    column: 2,
    row: 2.2,
    title: 'PostgreSQL',
    lines: ['the truth: rows are written', 'before bytes are sent'],
    tone: 'plain',
  },
  worker: {
    column: 3,
    row: 1.1,
    title: 'Worker',
    lines: ['derives all again, then', 'signs; alone has keys'],
    tone: 'strong',
  },
  chain: {
    column: 4,
    row: 1.1,
    title: 'Solana',
    lines: ['the judge: read by a', 'quorum of RPC endpoints'],
    tone: 'strong',
  },
  store: {
    column: 4,
    row: 2.2,
    title: 'Permanent storage',
    lines: ['logos, metadata, terms,', 'named by their hash'],
    tone: 'plain',
  },
  verify: {
    column: 4,
    row: 0,
    title: 'slipway verify',
    lines: ['reads the chain;', 'trusts no one’s words'],
    tone: 'good',
  },
};

const ARROWS: readonly Arrow<Part>[] = [
  { from: 'client', to: 'wallet', label: 'asks' },
  { from: 'client', to: 'api', label: 'HTTP' },
  { from: 'api', to: 'temporal', label: 'starts' },
  { from: 'temporal', to: 'worker', label: 'runs' },
  { from: 'api', to: 'database' },
  { from: 'worker', to: 'database' },
  { from: 'worker', to: 'chain', label: 'sends' },
  { from: 'worker', to: 'store' },
  { from: 'verify', to: 'chain' },
];

export function partsAndRights(): string {
  return drawDiagram({
    title: 'The parts, and what each may do',
    description:
      'Site and client ask the wallet to sign and talk to the API. The API proposes and starts workflows in Temporal. The worker alone holds keys, derives everything again and signs. PostgreSQL is the truth, Solana the judge, and slipway verify reads the chain.',
    boxes: BOXES,
    arrows: ARROWS,
    grid: [228, 96],
  });
}
