export type Choice<T extends string> = readonly [value: T, label: string];

/** A choice for each variant; the compiler asks for a label of a new one. */
export function allChoices<T extends string>(labels: Readonly<Record<T, string>>): readonly Choice<T>[] {
  return Object.entries<string>(labels).filter((entry): entry is [T, string] => entry[0] in labels);
}

export interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly choices: readonly Choice<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export function Segments<T extends string>({ label, choices, value, onChange }: SegmentsProps<T>) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {choices.map(([choice, text]) => (
        <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChange(choice)}>
          {text}
        </button>
      ))}
    </div>
  );
}
