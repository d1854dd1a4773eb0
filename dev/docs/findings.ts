import { FINDING_KINDS, FINDING_MEANING, FINDING_REMEDY } from '../../domain/money/finding.ts';

/** Each kind of finding with its meaning and its remedy. */
export function findingsText(): string {
  return FINDING_KINDS.map((kind) => `- \`${kind}\`: ${FINDING_MEANING[kind]}. → ${FINDING_REMEDY[kind]}`).join('\n');
}
