import { describe, expect, it } from 'vitest';
import { createFaultSwitch, type Fault, parseFault } from '../../../dev/block-engine/fault.ts';

describe('a fault', () => {
  it('with a count applies to that many bundles', () => {
    const changes: Fault[] = [];
    const faults = createFaultSwitch((fault) => changes.push(fault));
    faults.set({ fault: 'drop', times: 2 });
    expect([faults.take().fault, faults.take().fault, faults.take().fault]).toEqual(['drop', 'drop', 'none']);
    expect(changes.map(({ fault, times }) => [fault, times])).toEqual([
      ['drop', 2],
      ['drop', 1],
      ['none', undefined],
    ]);
  });

  it('without a count stays until another is set', () => {
    const faults = createFaultSwitch(() => undefined);
    faults.set({ fault: 'drop' });
    expect([faults.take().fault, faults.take().fault]).toEqual(['drop', 'drop']);
    faults.set({ fault: 'none' });
    expect(faults.take().fault).toBe('none');
  });

  it.each([
    { fault: 'explode' },
    { fault: 'drop', times: 0 },
    { fault: 'prefix', prefixLength: 6 },
    { fault: 'drop', x: 1 },
    'drop',
    null,
  ])('%j is refused', (value) => {
    expect(() => parseFault(value)).toThrow('not a fault');
  });
});
