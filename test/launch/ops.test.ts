import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as auditLog from '../../db/platform/audit-log.ts';
import { connect, type Db } from '../../db/connect.ts';
import { insertIntake } from '../../db/launch/launch-intake.ts';
import { abandonSigned } from '../../db/money/chain-transaction-batches.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import { RESOLUTION_EFFECT, STATE_MEANING } from '../../domain/launch/meaning.ts';
import { LAUNCH_STATES, type LaunchState } from '../../domain/launch/state.ts';
import { launchPurpose, LAUNCH_STEPS, refundPurpose } from '../../domain/purpose.ts';
import { address, bringTo, intakeOf, launchTerms, signature } from '../support/launch/launch-rows.ts';
import { createTestDatabase } from '../setup/database.ts';
import { ops, STACK } from '../support/ops/ops-run.ts';

let url: string;
let db: Db;
let env: Record<string, string>;

beforeAll(async () => {
  url = (await createTestDatabase()).url;
  db = connect(url);
  env = { DATABASE_URL: url };
});
beforeEach(() => db.deleteFrom('launches').execute());
afterAll(() => db.destroy());

/** A launch that went straight to `state`, last touched `minutesAgo`. */
async function launchIn(state: LaunchState, { minutesAgo = 0, blockedReason = 'nobody knows' } = {}) {
  const terms = launchTerms();
  const intake = intakeOf(terms);
  await insertIntake(db, intake);
  await bringTo(db, terms.quoteId, state, { blockedReason, slot: 77n });
  const at = new Date(Date.now() - minutesAgo * 60_000);
  await db
    .updateTable('launches')
    .set({ submittedAt: at, updatedAt: at as never })
    .where('quoteId', '=', terms.quoteId)
    .execute();
  return { ...terms, signature: intake.signature, mint: terms.addresses.mint };
}

/** Output of a command with --json that ended with 0. */
async function json(line: string): Promise<Record<string, unknown>> {
  const { status, printed, message } = await ops(env, `${line} --json`);
  expect([status, message]).toEqual([0, undefined]);
  return JSON.parse(printed) as Record<string, unknown>;
}

const quoteIdsOf = (answer: Record<string, unknown>) =>
  (answer['launches'] as { quoteId: string }[]).map(({ quoteId }) => quoteId);

describe('launches stuck', () => {
  test('shows parked launches at once, then those that are open for two minutes, first submitted first', async () => {
    const parked = await launchIn('needs_recovery');
    const quiet = await launchIn('landing', { minutesAgo: 3 });
    await launchIn('landing', { minutesAgo: 1.5 });
    for (const settled of ['not_landed', 'refunded'] as const) await launchIn(settled, { minutesAgo: 60 });
    expect(quoteIdsOf(await json('launches stuck'))).toEqual([parked.quoteId, quiet.quoteId]);
    expect(quoteIdsOf(await json('launches stuck --quiet-minutes 1'))).toHaveLength(3);
  });

  test('says of each what it is, why it is blocked, how old it is and what to do', async () => {
    const { quoteId, mint, creator, signature: paid } = await launchIn('needs_recovery', { minutesAgo: 3 });
    const [launch] = (await json('launches stuck'))['launches'] as Record<string, unknown>[];
    expect(launch).toMatchObject({
      quoteId,
      mint,
      creator,
      paymentSignature: paid,
      state: 'needs_recovery',
      blockedReason: 'nobody knows',
      todo: expect.stringContaining(`launches resolve ${quoteId}`) as string,
    });
    expect(launch?.['quietSeconds']).toBeGreaterThanOrEqual(180);
    expect(launch?.['ageSeconds']).toBeGreaterThanOrEqual(180);
    const { printed } = await ops(env, 'launches stuck');
    for (const text of [quoteId, mint, creator, paid, 'nobody knows', 'untouched for 3 min']) {
      expect(printed).toContain(text);
    }
  });

  test('links to the parked ones in the Temporal UI', async () => {
    await launchIn('needs_recovery');
    const named = {
      ...env,
      TEMPORAL_ADDRESS: 'x:7233',
      TEMPORAL_NAMESPACE: 'prod',
      TEMPORAL_UI_URL: 'https://ui.example/',
    };
    const query = encodeURIComponent('LaunchState="needs_recovery" AND ExecutionStatus="Running"');
    const link = `https://ui.example/namespaces/prod/workflows?query=${query}`;
    expect((await ops(named, 'launches stuck')).printed).toContain(link);
    expect(JSON.parse((await ops(named, 'launches stuck --json')).printed)).toMatchObject({ parkedUrl: link });
    expect((await json('launches stuck'))['parkedUrl']).toBeNull();
  });

  test('says so when nothing is stuck', async () => {
    expect((await ops(env, 'launches stuck')).printed).toMatch(/^no launch is stuck/);
  });
});

describe('launches show', () => {
  test('finds a launch by quote id, mint, workflow id and every signature of its payment', async () => {
    const launch = await launchIn('landing');
    const alias = signature();
    await db
      .insertInto('launchSignatures')
      .values({ signature: alias, quoteId: launch.quoteId, kind: 'alias' })
      .execute();
    for (const id of [launch.quoteId, launch.mint, launch.signature, alias, `launch-${launch.quoteId}`]) {
      expect(await json(`launches show ${id}`)).toMatchObject({ launch: { quoteId: launch.quoteId } });
    }
  });

  test.each([address(), signature(), '00000000-0000-4000-8000-000000000000'])(
    '%s, which no launch has, ends with 1',
    async (id) => {
      expect(await ops(env, `launches show ${id}`)).toMatchObject({
        status: 1,
        printed: '',
        message: `there is no launch with the quote id, mint or payment signature ${id}`,
      });
    },
  );

  test('shows states with slots, all attempts of all transactions, payment items, signatures and the audit log', async () => {
    const { quoteId, signature: paid, mint } = await launchIn('needs_recovery');
    const dead = await addTransaction(quoteId, 1);
    await abandonSigned(db, [dead]);
    const live = await addTransaction(quoteId, 2);
    await auditLog.append(db, {
      actor: 'ada',
      action: 'launch.resume',
      subject: `launch/${quoteId}`,
      note: 'engine is back',
    });
    const report = await json(`launches show ${quoteId}`);
    expect(report).toMatchObject({
      // No payment of it landed.
      publicStatus: 'processing',
      meaning: STATE_MEANING.needs_recovery,
      launch: { mint, paymentSignature: paid },
      payment: { lamports: '290000000', items: [{ item: 'launch', lamports: '290000000' }] },
      states: [
        { state: 'received', slot: null },
        { state: 'needs_recovery', slot: '77', note: 'nobody knows' },
      ],
      signatures: [{ signature: paid, kind: 'submitted' }],
      transactions: [
        { ...dead, status: 'abandoned' },
        { ...live, status: 'signed' },
      ],
      audit: [{ actor: 'ada', action: 'launch.resume', note: 'engine is back' }],
      workflow: { id: `launch-${quoteId}`, url: null },
    });
    const { printed } = await ops(env, `launches show ${quoteId}`);
    for (const text of ['launch/3', dead.signature, live.signature, 'engine is back', '290000000', 'nobody knows']) {
      expect(printed).toContain(text);
    }
  });

  test('shows the transactions in bundle order, then the refund', async () => {
    const { quoteId } = await launchIn('refunding');
    const purposes = [refundPurpose(quoteId), ...LAUNCH_STEPS.map((step) => launchPurpose(quoteId, step))];
    await insertSigned(
      db,
      purposes.map((purpose) => signedRow(purpose, 1)),
    );
    const { transactions } = await json(`launches show ${quoteId}`);
    const expected = [...purposes.slice(1), purposes[0]];
    expect((transactions as { purpose: string }[]).map(({ purpose }) => purpose)).toEqual(expected);
  });

  test.each(LAUNCH_STATES.filter((state) => state !== 'completed' && state !== 'finalized'))(
    'a launch in %s is explained in words; only a parked one offers choices',
    async (state) => {
      const { quoteId } = await launchIn(state);
      const { printed } = await ops(env, `launches show ${quoteId}`);
      expect(printed).toContain(`${state}: ${STATE_MEANING[state]}`);
      for (const [action, effect] of Object.entries(RESOLUTION_EFFECT)) {
        expect(printed.includes(`launches resolve ${quoteId} ${action} --parking `)).toBe(state === 'needs_recovery');
        expect(printed.includes(effect)).toBe(state === 'needs_recovery');
      }
    },
  );

  test('links to the Temporal UI of the running stack, but not of a stack with another database', async () => {
    const { quoteId } = await launchIn('landing');
    const link = `http://127.0.0.1:8233/namespaces/default/workflows/launch-${quoteId}`;
    await withStackFile({ ...STACK, databaseUrl: url }, async (file) => {
      expect((await ops({}, `launches show ${quoteId}`, file)).printed).toContain(link);
      expect((await ops(env, `launches show ${quoteId}`, file)).printed).toContain(link);
    });
    await withStackFile(STACK, async (file) => {
      expect((await ops(env, `launches show ${quoteId}`, file)).printed).not.toContain(link);
    });
    const named = {
      ...env,
      TEMPORAL_ADDRESS: 'x:7233',
      TEMPORAL_NAMESPACE: 'prod',
      TEMPORAL_UI_URL: 'https://ui.example/',
    };
    expect((await ops(named, `launches show ${quoteId}`)).printed).toContain(
      `https://ui.example/namespaces/prod/workflows/launch-${quoteId}`,
    );
  });
});

describe('launches list', () => {
  test('shows the last submitted first, of the states that are asked for, at most so many', async () => {
    const landing = await launchIn('landing');
    const refunded = await launchIn('refunded');
    const received = await launchIn('received');
    const all = [received.quoteId, refunded.quoteId, landing.quoteId];
    expect(quoteIdsOf(await json('launches list'))).toEqual(all);
    expect(quoteIdsOf(await json('launches list --limit 2'))).toEqual(all.slice(0, 2));
    expect(quoteIdsOf(await json('launches list --state landing refunded'))).toEqual(all.slice(1));
    expect((await ops(env, 'launches list')).printed).toMatch(/^STATE +SYMBOL +MODE +QUOTE ID/);
  });

  test('an unknown state is wrong usage', async () => {
    expect((await ops(env, 'launches list --state lost')).status).toBe(2);
  });
});

describe('launches resolve, before it asks Temporal', () => {
  test.each(['landing', 'refunded', 'not_landed'] as const)('refuses a launch that is %s', async (state) => {
    const { quoteId } = await launchIn(state);
    expect(await ops(env, `launches resolve ${quoteId} refund --parking 1 --note x`)).toMatchObject({
      status: 1,
      printed: '',
      message: `launch ${quoteId} is ${state}; only one in needs_recovery can be resolved`,
    });
  });

  test('refuses to mix a database with the Temporal of another platform', async () => {
    const { quoteId } = await launchIn('needs_recovery');
    await withStackFile(STACK, async (file) => {
      const run = await ops(env, `launches resolve ${quoteId} resume --parking 1 --note x --yes`, file);
      expect([run.status, run.message]).toEqual([
        1,
        expect.stringContaining('set TEMPORAL_ADDRESS: DATABASE_URL does not name the local stack'),
      ]);
    });
  });

  test('says in one line that Temporal cannot be reached', async () => {
    const { quoteId } = await launchIn('needs_recovery');
    expect(
      await ops(
        { ...env, TEMPORAL_ADDRESS: '127.0.0.1:1' },
        `launches resolve ${quoteId} resume --parking 1 --note x --yes`,
      ),
    ).toMatchObject({ status: 1, message: 'Temporal at 127.0.0.1:1 cannot be reached' });
  });

  test('says without --yes what it would do, and asks nobody', async () => {
    const { quoteId } = await launchIn('needs_recovery');
    const { status, message } = await ops(env, `launches resolve ${quoteId} refund --parking 1 --note x`);
    expect(status).toBe(1);
    expect(message).toContain(`this would refund launch ${quoteId} at parking 1`);
    expect(message).toContain('the creator gets the payment and its network fee back');
    expect(message).toContain('nothing was done. Repeat it with --yes');
  });

  test('a note without words is refused', async () => {
    const { quoteId } = await launchIn('needs_recovery');
    const run = await ops(env, ['launches', 'resolve', quoteId, 'resume', '--parking', '1', '--note', ' ']);
    expect(run).toMatchObject({ status: 1, message: expect.stringContaining('note must say why') as string });
  });

  test.each([
    'launches resolve',
    'launches resolve x pay --parking 1 --note y',
    'launches resolve x refund --parking 1',
    'launches resolve x refund --note y',
    'launches resolve x refund --parking 0 --note y',
    'launches stuck --quiet-minutes 0',
  ])('%s is wrong usage', async (line) => {
    expect((await ops(env, line)).status).toBe(2);
  });
});

test.each(['', ' stuck', ' show', ' resolve', ' list'])(
  'launches%s --help explains, without a database',
  async (command) => {
    const run = await ops({}, `launches${command} --help`);
    expect(run.status).toBe(0);
    if (command) expect(run.printed).toContain(`npm run ops -- launches${command}`);
  },
);

function signedRow(purpose: ReturnType<typeof refundPurpose>, attempt: number) {
  const wire = new Uint8Array([1]);
  return {
    purpose,
    attempt,
    signature: signature(),
    wire,
    blockhash: address(),
    blockhashSlot: 1n,
    lastValidBlockHeight: 2n,
  };
}

/** One attempt at the pool of a launch, as `show` names it. */
async function addTransaction(quoteId: string, attempt: number) {
  const row = signedRow(launchPurpose(quoteId, 3), attempt);
  await insertSigned(db, [row]);
  return { purpose: row.purpose, attempt, signature: row.signature };
}

async function withStackFile(stack: object, use: (file: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ops-'));
  try {
    const file = join(directory, 'stack.json');
    writeFileSync(file, JSON.stringify(stack));
    await use(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
