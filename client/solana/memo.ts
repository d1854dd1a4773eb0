import type { Instruction } from './message.ts';

/** The text of a memo instruction. */
export function memoText({ data }: Pick<Instruction, 'data'>): string {
  return new TextDecoder().decode(data);
}
