import { describe, expect, it, test } from 'vitest';
import {
  isPrompt,
  type Moment,
  type Pulse,
  type SaidFinal,
  isSelfConsistent,
} from '../../activities/market/line/observed/pulse.ts';

const seconds = 1_000;
const SLOT_MS = 400;
const UNIX_MS = 1_800_000_000_000;
/** RPC's word, and how a stream stands a time later that goes on at the chain's pace. */
const said: SaidFinal = { slot: 1_000, at: 50 * seconds };
const passed = 600 * seconds;
const finalized = said.slot + passed / SLOT_MS;
const moment: Moment = { unixMs: UNIX_MS, now: said.at + passed };
const well: Pulse = { tip: finalized + 32, madeAt: UNIX_MS - seconds, toldAt: moment.now - 300, finalized };

const speaks = (over: Partial<Pulse>, at: Partial<Moment> = {}): boolean =>
  isSelfConsistent({ ...well, ...over }, said, { ...moment, ...at });

test('a stream is prompt that tells of new blocks, and of finality not far behind them', () => {
  expect(isPrompt(well, UNIX_MS)).toBe(true);
  expect(isPrompt(well, UNIX_MS + 10 * seconds)).toBe(false);
  expect(isPrompt({ ...well, finalized: well.tip - 80 }, UNIX_MS)).toBe(false);
  expect(isPrompt({ ...well, madeAt: null }, UNIX_MS)).toBe(false);
});

describe('a stream speaks for itself', () => {
  it('that goes on at the chain’s pace, and tells of each block as it is made', () => {
    expect(speaks({})).toBe(true);
    for (const slotMs of [360, 490]) {
      const slots = said.slot + Math.floor(passed / slotMs);
      expect(speaks({ finalized: slots, tip: slots + 32 })).toBe(true);
    }
  });
});

describe('RPC is asked as before about a stream', () => {
  it('that stands still, by either clock', () => {
    expect(speaks({ madeAt: UNIX_MS - 9 * seconds })).toBe(false);
    expect(speaks({ toldAt: moment.now - 9 * seconds })).toBe(false);
  });

  it('whose blocks have no times', () => {
    expect(speaks({ madeAt: null })).toBe(false);
  });

  it('whose blocks are of another time than the machine’s, whichever of the two is wrong', () => {
    for (const minutes of [-5, 5]) expect(speaks({}, { unixMs: UNIX_MS + minutes * 60 * seconds })).toBe(false);
  });

  it('that tells old slots again as if they were new', () => {
    expect(speaks({ finalized: said.slot + 10, tip: said.slot + 42 })).toBe(false);
  });

  it('that tells of slots to come, or of finality beyond its blocks', () => {
    expect(speaks({ finalized: finalized + 500, tip: finalized + 532 })).toBe(false);
    expect(speaks({ finalized: well.tip + 1 })).toBe(false);
  });

  it('that tells of no finality', () => {
    expect(speaks({ finalized: -1 })).toBe(false);
    expect(speaks({ finalized: well.tip - 80 })).toBe(false);
  });

  it('of a quick chain, whatever its blocks say of time', () => {
    const slots = said.slot + passed / 40;
    expect(speaks({ finalized: slots, tip: slots + 32 })).toBe(false);
  });
});
