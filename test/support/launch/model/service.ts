import { isSettled, stepsOf } from '../../../../domain/launch/machine.ts';
import { RESOLUTION_ACTIONS } from '../../../../domain/launch/operator-decision.ts';
import { chainEvents, type Happening } from './chain-events.ts';
import { LANDING_STEPS } from './landing-steps.ts';
import { LATER_STEPS } from './later-steps.ts';
import type { Outcome, StepRules } from './step-tools.ts';
import { begun, type Flaw, mayLand, type Process, withLetter, type World } from './world.ts';

/** What may go wrong in one exploration. */
export interface Scope {
  /** How many transactions the bundle has: 4, or fewer to keep a large exploration small. */
  readonly transactions: 2 | 3 | 4;
  /** An activity that was given up goes on beside its successor. */
  readonly zombies: boolean;
  /** The database is replaced, once, by a backup from any earlier moment. */
  readonly restore: boolean;
  readonly forks: boolean;
  /** Somebody sends the launch wallet what the payment would have brought. */
  readonly gifts: boolean;
  readonly flaws: ReadonlySet<Flaw>;
}

/** Nothing goes wrong but crashes, repeats, expiry and decisions. */
export const CALM: Scope = {
  transactions: 4,
  zombies: false,
  restore: false,
  forks: false,
  gifts: false,
  flaws: new Set(),
};

const RULES: Record<Process['step'], StepRules> = { ...LANDING_STEPS, ...LATER_STEPS };

/** Everything that can happen next. */
export function happeningsIn(world: World, scope: Scope): Happening[] {
  const chain = chainEvents(world, scope.gifts).filter(
    ({ isFair, what }) => isFair || scope.forks || !what.startsWith('fork'),
  );
  return [
    ...chain,
    ...stepOf(world, 'main', scope),
    ...stepOf(world, 'zombie', scope),
    ...submitEvents(world, scope),
    ...workflowEvents(world),
    ...accidents(world, scope),
    ...(scope.restore ? restores(world) : []),
  ];
}

/** One place further in an activity. */
function stepOf(world: World, who: 'main' | 'zombie', { flaws }: Scope): Happening[] {
  const process = world[who];
  if (!process) return [];
  if (process.at === 'end') return [];
  const rule = RULES[process.step][process.at];
  if (!rule) throw new Error(`${process.step} has no place ${process.at}`);
  return rule({ world, process, flaws }).map((outcome) => ({
    ...say(`${who} ${process.step} ${process.at}: ${outcome.what}`),
    world: after(outcome, process, who),
  }));
}

/** Places from which a forgotten activity can still change something that a new run of it would not. */
const HARMFUL: ReadonlySet<string> = new Set(
  Object.values(RULES).flatMap((rules) => Object.keys(rules).filter((at) => at !== 'start')),
);

const say = (what: string, isFair = true) => ({ what, isFair });

function after({ world, at, found, renewed }: Outcome, process: Process, who: 'main' | 'zombie'): World {
  const { step, action } = process;
  const next: Process = { step, action, at, saw: '', missing: '', isPaid: false, ...found };
  const other = who === 'main' ? world.zombie : world.main;
  const kept = other && renewed !== '' ? withoutOldBytes(other, renewed) : other;
  if (who === 'main') return { ...world, main: next, zombie: kept };
  // Nobody listens to what a zombie answers, and nobody starts it again.
  return { ...world, zombie: at === 'end' || at === 'start' ? null : next, main: kept };
}

/** New bytes were signed, so the old ones are dead: what a process knows of those is of no use to it. */
function withoutOldBytes(process: Process, renewed: string): Process {
  const missing = [...process.missing].filter((at) => !renewed.includes(at)).join('');
  const saw = [...process.saw].map((letter, index) => (renewed.includes(String(index)) ? '-' : letter)).join('');
  return { ...process, missing, saw };
}

/** Submits that may be between looking for the launch's row and writing it, at once. */
const MOST_SUBMITS = 2;

/** `POST /launches/submit` until there is a row, which every other submit then finds and answers from. */
function submitEvents(world: World, { flaws }: Scope): Happening[] {
  const { launch, submits } = world;
  if (launch !== null) return [];
  const begin = (['t', 'l'] as const).map((judgement) => ({
    ...say(`submit finds no row, the quote is ${judgement === 't' ? 'in time' : 'too late'}`),
    world: { ...world, submits: [...submits, judgement].sort().join('') },
  }));
  const end = [...new Set(submits)].map((judgement) => ({
    ...say(judgement === 't' ? 'submit is taken in' : 'submit is refused'),
    world: judgement === 't' ? takenIn(world) : refused(world, flaws),
  }));
  return [...(submits.length < MOST_SUBMITS ? begin : []), ...end];
}

/** Whatever other submits found, they find the row now. */
function takenIn(world: World): World {
  return {
    ...world,
    launch: 'received',
    submits: '',
    workflow: 'running',
    board: 'received',
    main: begun('openLaunch'),
  };
}

function refused(world: World, flaws: ReadonlySet<Flaw>): World {
  if (!flaws.has('refuse-without-row')) return { ...world, launch: 'not_landed', submits: '', told: true };
  return { ...world, submits: world.submits.replace('l', ''), told: true };
}

/** The workflow: it takes over what an activity answered and goes on by the table; people submit and decide. */
function workflowEvents(world: World): Happening[] {
  const { launch, workflow, board, main } = world;
  if (launch === null) return [];
  const opened: World = { ...world, workflow: 'running', board: 'received', main: begun('openLaunch') };
  if (workflow === 'none' && !isSettled(launch)) return [{ ...say('submit again, or janitor'), world: opened }];
  if (main?.at === 'end') return [{ ...say('workflow goes on'), world: advanced(world, main) }];
  if (workflow !== 'running' || main || board !== 'needs_recovery') return [];
  return RESOLUTION_ACTIONS.map((action) => ({
    ...say(`operator: ${action}`),
    world: { ...world, main: begun('resolveLaunch', action) },
  }));
}

/** As the loop in workflows/launch/launch.ts: the next step of the same state, or the first step of the new one. */
function advanced(world: World, done: Process): World {
  const { launch, board } = world;
  if (launch === null || board === null) throw new Error('a workflow runs without a launch');
  if (isSettled(launch)) return { ...world, board: launch, workflow: 'ended', main: null };
  const steps = stepsOf(launch);
  const position = board === launch ? steps.findIndex((step) => step === done.step) + 1 : 0;
  const next = steps[position] ?? steps[0];
  return { ...world, board: launch, main: next ? begun(next) : null };
}

/** Workers die, activities time out and go on all the same, Temporal loses a workflow. */
function accidents(world: World, { zombies }: Scope): Happening[] {
  const { main, zombie, workflow } = world;
  const happenings: Happening[] = [];
  const add = (what: string, changed: Partial<World>) =>
    happenings.push({ ...say(what, false), world: { ...world, ...changed } });
  if (zombie) add('zombie dies', { zombie: null });
  if (main) add('worker dies', { main: begun(main.step, main.action) });
  if (workflow !== 'none') add('namespace is lost', { workflow: 'none', board: null, main: null });
  if (!main || !zombies || zombie || !HARMFUL.has(main.at)) return happenings;
  add('activity times out', { main: begun(main.step, main.action), zombie: main });
  add('namespace is lost under an activity', { workflow: 'none', board: null, main: null, zombie: main });
  return happenings;
}

/** A backup is taken at any moment, and played back at any later one; the chain does not go back, and Temporal is reset. */
function restores(world: World): Happening[] {
  const { backup, launch, rows, refundRow, chain, refundChain } = world;
  if (backup === 'restored') return [];
  if (backup === '') {
    return launch === null || isSettled(launch)
      ? []
      : [{ ...say('backup', false), world: { ...world, backup: `${rows}${refundRow}${launch}` } }];
  }
  // The rule for operators: a restored database goes to work once everything that was signed has landed or expired.
  if ([...chain, refundChain].some(mayLand)) return [];
  const restored: World = {
    ...world,
    workflow: 'none',
    board: null,
    main: null,
    zombie: null,
    backup: 'restored',
    // By then the quote is over, and with it the only blockhash that its payment ever has.
    chain: chain.startsWith('-') ? withLetter(chain, 0, 'D') : chain,
    rows: backup.slice(0, rows.length),
    refundRow: backup.charAt(rows.length),
    launch: backup.slice(rows.length + 1) as World['launch'],
  };
  return [{ ...say('restore', false), world: restored }];
}
