import { describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as launches from '../../db/launch/launches.ts';
import { TooManyOpenError } from '../../db/launch/open-launches.ts';
import { address, bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

const LIMITS = { perCreator: 2, perClient: 3 };
let clients = 0;
const newClient = () => `198.51.100.${(clients += 1)}`;
const submit = (creator: string, client: string) => {
  const intake = { ...intakeOf(launchTerms({ creator })), client };
  return insertIntake(db(), intake, LIMITS).then(({ launch }) => launch);
};

describe('unpaid launches under way', () => {
  it.each([
    ['a creator', 2, () => [address(), newClient] as const],
    ['a network address', 3, () => [undefined, newClient()] as const],
  ])(
    'of %s are at most %i, however many are submitted at once; one more writes nothing',
    async (_who, limit, whose) => {
      const [creator, client] = whose();
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, () => submit(creator ?? address(), typeof client === 'string' ? client : client())),
      );
      const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
      expect(refusals).toHaveLength(8 - limit);
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(TooManyOpenError);
      const column = creator === undefined ? 'client' : 'creator';
      const rows = db()
        .selectFrom('launches')
        .select('quoteId')
        .where(column, '=', creator ?? String(client));
      expect(await rows.execute()).toHaveLength(limit);
    },
  );

  it('count no more once they are paid, or over, and their network address is forgotten', async () => {
    const [creator, client] = [address(), newClient()];
    const [paid, over] = [await submit(creator, client), await submit(creator, client)];
    expect(paid.client).toBe(client);
    await expect(submit(creator, client)).rejects.toThrow(`creator ${creator} has 2 unpaid launches under way`);
    await bringTo(db(), paid.quoteId, 'recording');
    await bringTo(db(), over.quoteId, 'not_landed');
    await submit(creator, client);
    for (const { quoteId } of [paid, over]) expect((await launches.byQuoteId(db(), quoteId))?.client).toBeNull();
  });

  it('do not keep a known launch from being submitted again', async () => {
    const [creator, client] = [address(), newClient()];
    const intake = { ...intakeOf(launchTerms({ creator })), client };
    await insertIntake(db(), intake, LIMITS);
    await submit(creator, client);
    expect(await insertIntake(db(), intake, LIMITS)).toMatchObject({ isNew: false });
  });
});
