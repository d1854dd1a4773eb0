import Type, { type Static } from 'typebox';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import type { NotedWallet } from '../../db/platform/wallet-manifest.ts';
import { noCursor } from '../answers/cursor.ts';
import { fromNumber, growingCursors, growingPage } from '../answers/growing.ts';
import { toInteger } from '../answers/numbers.ts';
import { createReadCache, type ReadLife } from '../cache/read-cache.ts';
import type { ApiDeps } from '../deps.ts';
import type { ApiInstance } from '../instance.ts';
import { responses } from '../schemas/envelope.ts';
import { cursorParameter, limitParameter } from '../schemas/parameters.ts';
import { RoleSchema, type WalletsAnswer, WalletsSchema } from './wallets.schema.ts';

const WalletsQuerySchema = Type.Object(
  { ...limitParameter, ...cursorParameter, role: Type.Optional(RoleSchema) },
  { additionalProperties: false },
);

const schema = {
  tags: ['Data'],
  operationId: 'getPlatformWallets',
  summary: 'The platform’s own wallets',
  description:
    'Every address that the platform uses, with its role and the slot from which it has it. The list only grows: a full page ' +
    'never changes, and what ends is a further entry. `slipway verify wallets` compares it with the chain.',
  querystring: WalletsQuerySchema,
  response: responses(WalletsSchema),
};

const LIFE: ReadLife = { memorySeconds: 5, seconds: 10, staleSeconds: 20, entries: 500 };

/** All roles have one numbering. */
const LIST = { cursors: growingCursors('platform wallets'), of: '' };

type WalletsQuery = Static<typeof WalletsQuerySchema>;

/** `GET /platform/wallets` */
export function walletsGet(app: ApiInstance, { reads, db }: ApiDeps): void {
  const cache = createReadCache(LIFE, async ({ limit, cursor, role }: WalletsQuery) => {
    const after = fromNumber(LIST, cursor);
    const found = await walletManifest.after(reads, after, role ?? null, limit + 1);
    const { rows, pagination } = growingPage(LIST, found, { limit, after });
    // On the primary: a standby may not have the row yet that a page ended with.
    if (rows.length === 0 && after > 0 && !(await walletManifest.hasNumber(db, after))) throw noCursor();
    const data: WalletsAnswer = { wallets: rows.map(walletAnswer), pagination };
    return { data };
  });
  app.get('/platform/wallets', { schema }, async (request, reply) => cache.send(request, reply, request.query));
}

function walletAnswer({ slot, notedAt, ...entry }: NotedWallet): WalletsAnswer['wallets'][number] {
  return { ...entry, slot: toInteger(slot), notedAt: notedAt.toISOString() };
}
