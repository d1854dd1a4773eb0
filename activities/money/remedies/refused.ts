/** A remedy that is not carried out, for a reason that the operator should read. */
export class RemedyRefusedError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RemedyRefusedError';
  }
}

/** The parts of a subject such as `step/7/12` behind its kind. Throws a RemedyRefusedError where there are not so many. */
export function partsOf(subject: string, count: number): string[] {
  const parts = subject.split('/').slice(1);
  if (parts.length !== count || parts.includes('')) throw new RemedyRefusedError(`${subject} names nothing`);
  return parts;
}

/** A number in a subject. Throws a RemedyRefusedError where it is none. */
export function numberIn(text: string | undefined): number {
  if (text === undefined || !/^\d{1,8}$/.test(text)) throw new RemedyRefusedError(`"${text}" is no number`);
  return Number(text);
}
