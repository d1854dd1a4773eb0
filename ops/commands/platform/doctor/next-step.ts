import { opsCommand } from '../status/line.ts';
import { CHECKS, type Finding } from './finding.ts';

/** Returns the remedy of the first problem, which others depend on; else the next command. */
export function nextStep(findings: readonly Finding[]): string {
  const place = ({ check }: Finding) => CHECKS.indexOf(check);
  const [first] = findings.filter(({ is }) => is === 'problem').sort((a, b) => place(a) - place(b));
  return first?.remedy ?? `start API and worker, then ${opsCommand('status')}`;
}
