import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number within these bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  };
}
