import { type Moment, type Outcome, outcome, settle, sign, type StepRules, throws } from './step-tools.ts';
import { adopted, observe, observed } from './observe.ts';
import { bundleOf, consistsOf, hasLanded, isLive, isOnChain, move } from './world.ts';

/** Ends a launch of which nothing was sent, unless the chain or the ledger knows better. */
function giveUp({ world, flaws }: Moment): Outcome[] {
  const isUnsent = consistsOf(world.rows, 'sa');
  if (!isUnsent && !flaws.has('abandon-unconditionally')) return [outcome(world, 'end', 'is too late to refuse')];
  if (isOnChain(world.chain.charAt(0)) && !flaws.has('give-up-without-asking')) return [outcome(world, 'end')];
  return [
    outcome(
      move({ ...world, rows: 'a'.repeat(world.rows.length) }, ['received', 'preparing'], 'refused'),
      'end',
      'abandons',
    ),
  ];
}

/** Sends what is missing of the bundle, and goes on with another step. */
function sendMissing(next: 'end' | 'prove') {
  return ({ world, process, flaws }: Moment): Outcome[] => {
    const wires = [...process.missing].filter(
      (at) => flaws.has('send-signed') || world.rows.charAt(Number(at)) !== 's',
    );
    const { missing, isPaid } = process;
    return [outcome(settle.send(world, wires.join('')), next, `sends ${missing}`, { missing, isPaid })];
  };
}

/** The steps until the bundle landed or died, as activities/launch does them. */
export const LANDING_STEPS = {
  assembleBundle: {
    start({ world }) {
      if (world.launch !== 'received') return [outcome(world, 'end')];
      if (bundleOf(world).some((index) => isLive(world.rows.charAt(index)))) {
        return [outcome(move(world, ['received'], 'signed'), 'end', 'finds the bundle')];
      }
      if (isOnChain(world.chain.charAt(0))) return [outcome(world, 'sign'), outcome(world, 'park')];
      return [outcome(world, 'sign'), outcome(world, 'refuse')];
    },
    // The ledger has no row of it yet, so there is nothing to abandon.
    refuse: ({ world }) => [outcome(move(world, ['received', 'preparing'], 'refused'), 'end', 'refuses')],
    park: ({ world }) => [outcome(move(adopted(world), ['received'], 'blocked'), 'end', 'parks')],
    sign({ world }) {
      if (world.launch !== 'received') return throws(world);
      const event = isOnChain(world.chain.charAt(0)) ? 'begun' : 'signed';
      return sign(world, bundleOf(world).join(''), (signed) => move(signed, ['received'], event));
    },
  },
  simulateBundle: {
    start({ world }) {
      if (world.launch !== 'preparing' || !consistsOf(world.rows, 's')) return [outcome(world, 'end')];
      return [outcome(world, 'end', 'passes'), outcome(world, 'refuse', 'fails')];
    },
    refuse: giveUp,
  },
  storeMetadata: {
    start: ({ world }) =>
      world.launch === 'preparing'
        ? [outcome(world, 'release', 'stores'), outcome(world, 'refuse', 'cannot store')]
        : [outcome(world, 'end')],
    refuse: giveUp,
    release({ world }) {
      if (world.launch !== 'preparing' && world.launch !== 'landing') return [outcome(world, 'end')];
      const released = move({ ...world, rows: world.rows.replaceAll('s', 'b') }, ['preparing'], 'sending');
      if (!consistsOf(world.rows, 's')) return [outcome(released, 'end', 'is not the first to send')];
      return [outcome(released, 'send', 'begins to send', { missing: bundleOf(world).join('') })];
    },
    send: sendMissing('end'),
  },
  landBundle: {
    start({ world }) {
      if (world.launch !== 'preparing' && world.launch !== 'landing') return [outcome(world, 'end')];
      const rows = world.rows.replaceAll('s', 'b');
      return [outcome(move({ ...world, rows }, ['preparing'], 'sending'), 'ask', 'begins to send')];
    },
    ask: observe('book'),
    book({ world, process }) {
      const { rows } = observed(world, process.saw);
      const booked = { ...world, rows };
      if ([...rows].every(hasLanded)) return [outcome(booked, 'conclude', 'all landed')];
      const missing = bundleOf(world).filter((index) => isLive(rows.charAt(index)) && !hasLanded(rows.charAt(index)));
      const found = { missing: missing.join(''), isPaid: hasLanded(rows.charAt(0)) };
      return [outcome(booked, 'send', 'books', found), outcome(booked, 'prove', 'books', found)];
    },
    conclude: ({ world }) => [outcome(move(world, ['landing'], 'whole'), 'end', 'concludes')],
    send: sendMissing('prove'),
    prove({ world, process, flaws }) {
      const isDead = (at: string) => settle.isProvenDead(world.chain.charAt(Number(at)), flaws);
      const isProven = [...process.missing].every(isDead) || (process.isPaid && flaws.has('rebuild-unproven'));
      if (!isProven) return [outcome(world, 'ask', 'no proof')];
      const { missing, isPaid } = process;
      return [outcome(world, 'bury', 'proof', { missing, isPaid })];
    },
    bury({ world, process, flaws }) {
      const landed = [...world.rows].filter(hasLanded);
      if (!process.isPaid && landed.length > 0) {
        // Only what no fork can undo is a matter for an operator.
        if (flaws.has('wait-for-dead-payment') || !landed.every((row) => row === 'f')) return [outcome(world, 'ask')];
        const parked = settle.bury(move(world, ['landing'], 'blocked'), process.missing);
        return parked ? [outcome(parked, 'end', 'parks')] : throws(world);
      }
      const moved = move(world, ['landing'], process.isPaid ? 'restDead' : 'allDead');
      const buried = settle.bury(moved, process.missing);
      return buried ? [outcome(buried, 'end', 'buries')] : throws(world);
    },
  },
  rebuildRest: {
    start({ world: before, flaws }) {
      if (before.launch !== 'resuming') return [outcome(before, 'end')];
      const world = adopted(before);
      const live = bundleOf(world).filter((index) => isLive(world.rows.charAt(index)));
      if (!live.includes(0)) {
        if (flaws.has('stop-without-payment')) return throws(world);
        return [outcome(move(world, ['resuming'], 'signed'), 'end', 'has no payment')];
      }
      if (live.length === world.chain.length)
        return [outcome(move(world, ['resuming'], 'signed'), 'end', 'misses nothing')];
      const missing = bundleOf(world)
        .filter((index) => !live.includes(index))
        .join('');
      return [outcome(world, 'park'), outcome(world, 'persist', 'signs the rest', { missing })];
    },
    park: ({ world }) => [outcome(move(world, ['resuming'], 'blocked'), 'end', 'parks')],
    persist({ world, process, flaws }) {
      if (world.launch !== 'resuming' && !flaws.has('persist-late-rest')) return throws(world);
      return sign(world, process.missing, (signed) => move(signed, ['resuming'], 'signed'));
    },
  },
} satisfies Record<string, StepRules>;
