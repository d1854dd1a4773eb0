import { opsCommand } from '../status/line.ts';
import type { Finding } from './finding.ts';

/** The order in which a deployment comes to work, as docs/deploy.md has it: a check needs those before it. */
const ORDER = [
  'configuration',
  'rpc',
  'quorum',
  'chain',
  'database',
  'temporal',
  'schema',
  'keys',
  'storage',
  'block engine',
  'programs',
  'clock',
  'balance',
  'lanes',
  'pairs',
  'prices',
  'exchange',
  'conformance',
];

/** What to do next: the remedy of the problem that others wait for, or what follows where there is none. */
export function nextStep(findings: readonly Finding[]): string {
  const place = ({ check }: Finding) => (ORDER.includes(check) ? ORDER.indexOf(check) : ORDER.length);
  const [first] = findings.filter(({ is }) => is === 'problem').sort((a, b) => place(a) - place(b));
  return first?.remedy ?? `start API and worker, then ${opsCommand('status')}`;
}
