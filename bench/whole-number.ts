import { InvalidArgumentError } from 'commander';

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  };
}
