import { statesWith, stateAfterResolution } from '../../../../domain/launch/machine.ts';
import { adopted, observe, observed, refundObserved } from './observe.ts';
import { outcome, settle, type StepRules, throws } from './step-tools.ts';
import { BrokenPromise, bundleOf, consistsOf, hasLanded, isLive, isOnChain, mayLand, move, poolOf } from './world.ts';

/** The steps after the bundle landed, and those of an operator, as activities/launch does them. */
export const LATER_STEPS = {
  openLaunch: { start: ({ world }) => [outcome(world, 'end')] },
  recordLaunch: {
    start: ({ world }) => [outcome(world, world.launch === 'recording' ? 'ask' : 'end')],
    ask: observe('book'),
    book({ world, process }) {
      const seen = observed(world, process.saw);
      if (![...seen.rows].every(hasLanded)) return [outcome(seen, 'again', 'a part is gone')];
      return [outcome(seen, 'write', 'all is there'), outcome(seen, 'contradiction', 'the books say otherwise')];
    },
    again: ({ world }) => [outcome(move(world, ['recording'], 'forked'), 'end', 'lands again')],
    write({ world }) {
      if (world.launch === 'finalized') return [outcome(world, 'end')];
      return [outcome(move(world, statesWith('recorded'), 'recorded'), 'end', 'records')];
    },
    contradiction: ({ world }) => [outcome(move(world, ['recording'], 'blocked'), 'end', 'parks')],
  },
  finalizeLaunch: {
    start: ({ world }) => [outcome(world, world.launch === 'completed' ? 'ask' : 'end')],
    ask: observe('book'),
    book({ world, process }) {
      const seen = observed(world, process.saw);
      if (consistsOf(seen.rows, 'f')) return [outcome(seen, 'seal', 'all is final')];
      return [outcome(seen, [...seen.rows].every(hasLanded) ? 'start' : 'again')];
    },
    seal: ({ world }) => [outcome(move(world, ['completed'], 'finalized'), 'start', 'finalizes')],
    again: ({ world }) => [outcome(move(world, ['completed'], 'forked'), 'start', 'lands again')],
  },
  resolveLaunch: {
    start({ world, process }) {
      if (world.launch !== 'needs_recovery') return [outcome(world, 'end')];
      if (process.action !== 'record') return [outcome(world, 'decide')];
      const seen = observed(adopted(world), world.chain);
      return [outcome(seen, [...seen.rows].every(hasLanded) ? 'decide' : 'decline')];
    },
    decide({ world, process }) {
      if (process.action === '') throw new BrokenPromise('a decision without an action');
      const after = move(world, ['needs_recovery'], process.action);
      if (after !== world && after.launch !== stateAfterResolution(process.action)) {
        throw new BrokenPromise(`${process.action} leads to ${after.launch}`);
      }
      return [outcome(after, 'end', process.action)];
    },
    decline: ({ world }) => [outcome(move(world, ['needs_recovery'], 'declined'), 'end', 'declines')],
  },
  refundLaunch: {
    start: ({ world }) => (world.launch === 'refunding' ? [outcome(adopted(world), 'ask')] : [outcome(world, 'end')]),
    ask: observe('book'),
    book({ world, process, flaws }) {
      const seen = observed(world, process.saw);
      const { rows } = seen;
      if (!isLive(rows.charAt(0))) return [outcome(seen, 'never', 'no payment')];
      if (rows.charAt(poolOf(world)) === 'f') return [outcome(seen, 'pool', 'the pool is final')];
      const isSettled = [...rows].every((row) => !isLive(row) || row === 'f');
      return [outcome(seen, isSettled || flaws.has('refund-unproven') ? 'pay' : 'tidy')];
    },
    tidy({ world, flaws }) {
      const rows = world.rows.replaceAll('s', 'a');
      const open = bundleOf(world)
        .filter((index) => rows.charAt(index) === 'b')
        .join('');
      const isDead = [...open].every((at) => settle.isProvenDead(world.chain.charAt(Number(at)), flaws));
      const tidied = { ...world, rows };
      return [outcome(isDead ? (settle.bury(tidied, open) ?? tidied) : tidied, 'ask', 'tidies up')];
    },
    never: ({ world }) => [outcome(move(world, ['refunding'], 'neverPaid'), 'end', 'nothing to give back')],
    pool: ({ world }) => [outcome(move(world, ['refunding'], 'declined'), 'end', 'refuses')],
    pay: ({ world }) => [outcome(world, isLive(world.refundRow) ? 'follow' : 'adopt')],
    // What the ledger does not know is looked for on the chain before anything is signed.
    adopt({ world }) {
      if (!isOnChain(world.refundChain)) return [outcome(world, 'sign')];
      return [outcome({ ...world, refundRow: 'l' }, 'follow', 'finds the refund')];
    },
    sign({ world, flaws }) {
      if (isLive(world.refundRow)) return throws(world);
      const isSettled = [...world.rows].every((row) => !isLive(row) || row === 'f');
      const isAsProven = flaws.has('refund-unproven') || (isSettled && !isLive(world.rows.charAt(poolOf(world))));
      if ((world.launch !== 'refunding' || !isAsProven) && !flaws.has('refund-late')) return throws(world);
      if (mayLand(world.refundChain) || isOnChain(world.refundChain)) {
        throw new BrokenPromise('a refund is signed while another one may land, or has');
      }
      return [outcome({ ...world, refundRow: 's', refundChain: '-' }, 'follow', 'signs the refund')];
    },
    follow({ world }) {
      return [outcome({ ...world, refundRow: world.refundRow === 's' ? 'b' : world.refundRow }, 'askRefund')];
    },
    askRefund: observe('bookRefund', 'refundChain'),
    bookRefund({ world, process }) {
      const seen = refundObserved(world, process.saw);
      if (seen.refundRow === 'f') return [outcome(seen, 'paid', 'the refund is final')];
      if (!isLive(seen.refundRow)) return [outcome(seen, 'pay')];
      if (seen.refundRow === 'l') return [outcome(seen, 'askRefund')];
      return [outcome(seen, 'sendRefund'), outcome(seen, 'proveRefund')];
    },
    sendRefund({ world }) {
      const refundChain = world.refundChain === '-' ? 'P' : world.refundChain;
      return [outcome({ ...world, refundChain }, 'askRefund', 'sends the refund')];
    },
    proveRefund({ world, flaws }) {
      if (!settle.isProvenDead(world.refundChain, flaws)) return [outcome(world, 'askRefund')];
      const refundRow = 'bd'.includes(world.refundRow) ? 'd' : world.refundRow;
      const buried = { ...world, refundRow };
      // Dead for ever is also what landed with an error: then an operator decides anew.
      return [outcome(buried, 'pay', 'buries the refund'), outcome(buried, 'decline', 'the refund failed')];
    },
    decline({ world }) {
      const declined = move(world, ['refunding'], 'declined');
      if (declined !== world && isLive(world.refundRow)) return throws(world);
      return [outcome(declined, 'end', 'refuses')];
    },
    paid: ({ world }) => [outcome(move(world, ['refunding'], 'paidBack'), 'end', 'refunded')],
  },
} satisfies Record<string, StepRules>;
