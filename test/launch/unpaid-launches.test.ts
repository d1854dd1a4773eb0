import { describe, expect, it } from 'vitest';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import * as launches from '../../db/launch/launches.ts';
import { transaction } from '../../db/connect.ts';
import { transitionLaunch } from '../../db/launch/launch-transition.ts';
import { lockOpenPayments, TooManyUnpaidError } from '../../db/launch/unpaid-launches.ts';
import { address, bringTo, intakeOf, launchTerms } from '../support/launch/launch-rows.ts';
import { useDatabase } from '../support/db/use-database.ts';

const { db } = useDatabase();

const LIMITS = { perCreator: 2, perClient: 3, perNetwork: 5, inAll: 1_000 };
let clients = 0;
const newClient = () => `198.51.100.${(clients += 1)}`;
const submit = (creator: string, client: string, clientNetwork: string | null = null, limits = LIMITS) => {
  const intake = { ...intakeOf(launchTerms({ creator })), client, clientNetwork };
  return insertIntake(db(), intake, limits).then(({ launch }) => launch);
};

async function countOpen(): Promise<number> {
  const { count } = await db()
    .selectFrom('launches')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('state', 'in', ['received', 'preparing', 'landing'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

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
      for (const refusal of refusals) expect(refusal).toBeInstanceOf(TooManyUnpaidError);
      const column = creator === undefined ? 'client' : 'creator';
      const rows = db()
        .selectFrom('launches')
        .select('quoteId')
        .where(column, '=', creator ?? String(client));
      expect(await rows.execute()).toHaveLength(limit);
    },
  );

  it('of an IPv6 /48 are bounded too, however many subnets of it they come from', async () => {
    const subnets = Array.from({ length: 8 }, (_, index) => `2001:db8:7:${index}::`);
    const answers = await Promise.allSettled(subnets.map((client) => submit(address(), client, '2001:db8:7::/48')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMITS.perNetwork);
    await expect(submit(address(), '2001:db8:7:ff::', '2001:db8:7::/48')).rejects.toMatchObject({
      whose: 'clientNetwork',
      limit: LIMITS.perNetwork,
    });
    await submit(address(), '2001:db8:8::', '2001:db8:8::/48');
  });

  it('of everybody together are bounded', async () => {
    const limits = { ...LIMITS, inAll: (await countOpen()) + 1 };
    const last = await submit(address(), newClient(), null, limits);
    const refused = submit(address(), newClient(), null, limits);
    await expect(refused).rejects.toMatchObject({ whose: 'all', limit: limits.inAll });
    await bringTo(db(), last.quoteId, 'recording');
    await submit(address(), newClient(), null, limits);
  });

  it('of one network are the fewer the more there are in all, so that a few networks leave room for every other', async () => {
    const inAll = (await countOpen()) + 40;
    const limits = { perCreator: 1, perClient: 1_000, perNetwork: 1_000, inAll };
    const networks = ['2001:db8:a::/48', '2001:db8:b::/48', '2001:db8:c::/48'];
    let refused: unknown = null;
    const fill = async (network: string): Promise<number> => {
      for (let taken = 0; ; taken++) {
        const answer = await submit(address(), network, network, limits).catch((error: unknown) => error);
        if (answer instanceof Error) {
          refused = answer;
          return taken;
        }
      }
    };
    const before = await countOpen();
    for (const network of networks) expect(await fill(network)).toBeGreaterThan(0);
    expect(refused).toMatchObject({ name: 'TooManyUnpaidError', whose: 'share' });
    expect((await countOpen()) - before).toBeLessThan(30);
    await submit(address(), '2001:db8:d::', '2001:db8:d::/48', limits);
    await submit(address(), newClient(), null, limits);
  });

  it('take from their wallet what is signed of them, until they are paid or over', async () => {
    const creator = address();
    const [first, second] = [await submit(creator, newClient()), await submit(creator, newClient())];
    const others = () => transaction(db(), (tx) => lockOpenPayments(tx, creator, first.quoteId));
    expect(await others()).toBe(0n);
    await bringTo(db(), second.quoteId, 'preparing');
    expect(await others()).toBe(second.paymentLamports);
    await transitionLaunch(db(), second.quoteId, ['preparing'], 'landing');
    expect(await others()).toBe(second.paymentLamports);
    await transitionLaunch(db(), second.quoteId, ['landing'], 'recording');
    expect(await others()).toBe(0n);
  });

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
